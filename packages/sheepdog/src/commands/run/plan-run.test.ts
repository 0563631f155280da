import { dirname } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { planRun } from "./plan-run.ts";

const file = scratchFolder();

test("with --director the model plans the run, and the prompt is its goal unless there is another one", async () => {
  const cwd = dirname(await file("goal.toml", "text = 'The flag works.'"));
  const io = fakeIo({ cwd, env: { SHEEPDOG_HOME: await file("home") } });
  const planned = async (options: Parameters<typeof planRun>[1]) => {
    const result = await planRun(["Add", "the", "flag."], options, io);
    return result.ok ? [result.plan.isDirected, result.plan.goal] : result.problems;
  };
  expect(await planned({})).toEqual([false, undefined]);
  expect(await planned({ director: true })).toEqual([true, { text: "Add the flag." }]);
  expect(await planned({ director: true, goal: "goal.toml" })).toEqual([true, { text: "The flag works." }]);
  expect(await planned({ goal: "goal.toml" })).toEqual([false, { text: "The flag works." }]);
});

test("all problems of a goal file are reported", async () => {
  const cwd = dirname(await file("goal.toml", "txt = 'a'\ntext = 3"));
  const io = fakeIo({ cwd, env: { SHEEPDOG_HOME: await file("home") } });
  expect(await planRun(["Go."], { goal: "goal.toml" }, io)).toEqual({
    ok: false,
    problems: [
      'goal.toml:1:1: there is no key "txt" at the top; did you mean "text"?',
      "goal.toml:2:8: text is 3; it must be text that is not empty",
    ],
  });
});
