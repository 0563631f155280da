import { createRedact, type Gate, type Tool } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { z } from "zod";
import { runTypedCommand, typedCommand } from "./typed-command.ts";

const { signal } = new AbortController();
const secret = `ghp_${"a1B2c3".repeat(6)}`;

function shell(run: Tool["run"], decision: "allow" | "ask" | "deny" = "allow") {
  const gate: Gate = { decide: async () => ({ tier: 1, decision, reason: `Because of ${secret}.` }) };
  const bash: Tool = {
    name: "bash",
    description: "Runs.",
    kind: "unknown",
    input: z.object({ command: z.string() }),
    run,
  };
  const approve = async () => ({ isAllowed: false, reason: "the user said no" });
  return { bash, gate, approve, redact: createRedact(), workspace: "/work" };
}

test("a line is a command only if it begins with the sign", () => {
  expect(["!ls", "!", "! ", "!  ls -l ", "ls!", " !ls", "!a\nb"].map(typedCommand)).toEqual([
    ...["ls", "", "", "ls -l"],
    ...[undefined, undefined, "a\nb"],
  ]);
});

test("every text that is shown has its secrets masked, also that of a failure", async () => {
  const texts = [
    await runTypedCommand(
      "x",
      shell(async () => secret),
      signal,
    ),
    await runTypedCommand(
      "x",
      shell(async () => ({ content: secret, isError: true }) as never),
      signal,
    ),
    await runTypedCommand(
      "x",
      shell(async () => Promise.reject(new Error(`no ${secret}`))),
      signal,
    ),
    await runTypedCommand(
      "x",
      shell(async () => "", "deny"),
      signal,
    ),
    await runTypedCommand(
      "x",
      shell(async () => "", "ask"),
      signal,
    ),
  ];
  expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  expect(texts[2]).toMatch(/^The command failed: no /);
  expect(texts[4]).toBe("Not run: the user said no.");
});
