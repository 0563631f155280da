import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test, vi } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { resolveHome } from "../../home.ts";
import { prepareLaunch } from "./launch.ts";

const file = scratchFolder();

async function launch(agent: "gemini-cli" | "opencode" | "cursor", env: Readonly<Record<string, string>> = {}) {
  const folder = dirname(await file("run/here"));
  mkdirSync(folder, { recursive: true });
  return prepareLaunch({ agent, args: [], folder, env }, resolveHome({ HOME: folder }));
}

test("for Gemini CLI, our hooks come after those of the system's settings, which must be root's", async () => {
  const system = await file("system.json", '{"hooks":{"BeforeTool":[{"hooks":[]}]}}');
  const root = vi.spyOn(process, "getuid").mockReturnValue(0);
  const launched = await launch("gemini-cli", { GEMINI_CLI_SYSTEM_SETTINGS_PATH: system });
  root.mockReturnValue(1000);
  expect(await launch("gemini-cli")).toMatchObject({ ok: false, problem: expect.stringContaining("only from root") });
  root.mockRestore();
  if (!launched.ok) throw new Error(launched.problem);
  const { GEMINI_CLI_SYSTEM_SETTINGS_PATH: written = "" } = launched.launch.env;
  const { hooks } = JSON.parse(readFileSync(written, "utf8"));
  expect(hooks.BeforeTool).toEqual([{ hooks: [] }, { hooks: [expect.objectContaining({ name: "sheepdog" })] }]);
});

test("Cursor is refused", async () => {
  expect(await launch("cursor")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("sheepdog attach cursor"),
  });
});
