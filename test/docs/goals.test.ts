import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readPlan } from "../../packages/agent/src/director/plan-input.ts";
import { planProblems } from "../../packages/agent/src/director/plan-problems.ts";
import { readGoalFile } from "../../packages/sheepdog/src/commands/run/goal-file.ts";
import { loadConfig } from "../../packages/sheepdog/src/config/load-config.ts";
import { resolveHome } from "../../packages/sheepdog/src/home.ts";
import { scratchFolder } from "../../packages/sheepdog/test/scratch-folder.ts";
import { readRepositoryFile } from "./page.ts";

const file = scratchFolder();
const page = readRepositoryFile("docs/goals.md");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) => text);
const [goalFile = "", ...configurations] = blocks("toml");

test("the goal file of docs/goals.md can be read", async () => {
  const goal = await readGoalFile(await file("goal.toml", goalFile), "goal.toml");
  expect(goal).toMatchObject({
    criteria: [{ type: "Command" }, { type: "LlmJudge" }],
    constraints: [{ level: "must", rule: { type: "OnlyFiles" } }, { level: "should" }],
  });
});

test("the configurations of docs/goals.md can be loaded", async () => {
  expect(configurations).toHaveLength(2);
  for (const text of configurations) {
    const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/config.toml")) });
    await writeFile(home.configFile, text);
    const loaded = await loadConfig({ env: {}, cwd: join(home.dir, "project"), home, flags: {} });
    expect(loaded).toMatchObject({ ok: true });
  }
});

test("the plan of docs/goals.md can be executed", () => {
  const [json = ""] = blocks("json");
  const read = readPlan(JSON.parse(json));
  const scope = { maxNodes: 50, tools: ["read", "glob", "grep"], models: [], done: new Map() };
  expect(read.ok ? planProblems(read.plan, scope) : read.problems).toEqual([]);
});
