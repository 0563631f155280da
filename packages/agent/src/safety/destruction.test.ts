import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createGate } from "../gate/default-gate.ts";
import { ok } from "../tools/tool.ts";
import { destructionIn } from "./destruction.ts";

let workspace: string;
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "destruction-")));
  mkdirSync(join(workspace, "src"));
  writeFileSync(join(workspace, "src/a.ts"), "");
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

/** What the gate's own decision about a command says. The command is only read. */
function destruction(command: string): string | undefined {
  const bash = {
    name: "bash",
    origin: "builtin",
    description: "",
    input: z.unknown(),
    run: async () => ok(""),
  } as const;
  const call = { type: "call", id: "c1", tool: "bash", input: { command } } as const;
  return destructionIn(createGate().explain(call, bash, { workspace }));
}

test.each([
  ["rm -r .", "recursive delete"],
  ["git reset --hard", "discard changes"],
  ["git push --force", "history rewrite"],
  ["shred src/a.ts", "system change"],
])("%s could destroy something: %s", (command, pattern) => {
  expect(destruction(command)).toBe(pattern);
});

test.each([
  "curl https://example.org",
  "cat /etc/hostname",
  "docker ps",
  "python -c 'print(1)'",
  "sudo ls",
  "gh pr view",
])("%s destroys nothing that is known", (command) => expect(destruction(command)).toBeUndefined());
