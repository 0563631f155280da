import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { GateRule } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { loadConfig } from "../config/load-config.ts";
import { resolveHome } from "../home.ts";
import { createPermissionRules } from "./permission-rules.ts";

const file = scratchFolder();
const rule: GateRule = { tool: "bash", command: "git push *", decision: "allow" };

async function openRules(toml: string) {
  const env = { SHEEPDOG_HOME: dirname(await file("home/config.toml", toml)) };
  const home = resolveHome(env);
  const load = async () => {
    const loaded = await loadConfig({ env, cwd: home.dir, home });
    if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
    return loaded.config;
  };
  return { rules: createPermissionRules(await load(), home, env), load, home };
}

test("tools that pause are rules that ask", async () => {
  const { rules } = await openRules(
    '[security]\npause_before = ["web_*"]\n[[security.rules]]\ntool = "bash"\ndecision = "deny"\n',
  );
  expect(rules.list).toEqual([
    { tool: "web_*", decision: "ask" },
    { tool: "bash", decision: "deny" },
  ]);
});

test("a rule that the user allows applies at once and in every later run", async () => {
  const { rules, load } = await openRules("# mine\n[agent]\nmax_turns = 3\n");
  const { list } = rules;
  expect(await rules.allowAlways(rule)).toBeUndefined();
  expect(list).toEqual([rule]);
  expect(await load()).toMatchObject({ agent: { max_turns: 3 }, security: { rules: [rule] } });
});

test("a rule that cannot be written does not apply", async () => {
  const { rules, home } = await openRules("");
  await file("home/config.toml", "[agent\n");
  expect(await rules.allowAlways(rule)).toMatch(/config\.toml:1/);
  expect([rules.list, await readFile(home.configFile, "utf8")]).toEqual([[], "[agent\n"]);
});
