import { expect, test } from "vitest";
import { fakeIo } from "../test/fake-io.ts";
import { scratchFolder } from "../test/scratch-folder.ts";
import { openTestHome } from "../test/test-home.ts";
import { main } from "./cli.ts";
import { createProgram } from "./program.ts";
import { programName, withProgramName } from "./program-name.ts";

const file = scratchFolder();
/** What npm sets for `npx sheepdog`. */
const npx = { npm_execpath: "/usr/lib/npm-cli.js", npm_command: "exec", npm_lifecycle_event: "npx" };

test("the program is called as the user has started it", () => {
  expect([programName({}), programName(npx)]).toEqual(["sheepdog", "npx sheepdog"]);
});

test("every command is recognized in a sentence, and other words are not", () => {
  const { commands } = createProgram(fakeIo(), { print() {}, setExitCode() {} });
  expect(commands.length).toBeGreaterThan(10);
  for (const name of commands.map((command) => command.name()))
    expect(withProgramName(`see: sheepdog ${name}`, npx)).toBe(`see: npx sheepdog ${name}`);
  const sentence = "sheepdog runners say: npx sheepdog runs";
  expect(withProgramName(sentence, npx)).toBe(sentence);
});

test("started with npx, printed commands start with npx", async () => {
  const { startRun, runPrompt, env, home, close } = await openTestHome(await file("home"));
  const say = async (...argv: string[]) => {
    const io = fakeIo({ env: { ...env, ...npx }, cwd: home.dir });
    await main(argv, io);
    return io.out() + io.err();
  };
  const { run } = await startRun("ses_a", "Wait.");
  expect(await say("show", "last")).toContain(`To stop it: npx sheepdog stop ${run.runId}`);
  run.cancel();
  await run.result;
  expect(await say("show", "last")).toContain("npx sheepdog run --resume ses_a");
  await runPrompt("ses_b", "Say hello.", [{ text: "Hello." }]);
  expect(await say("show", "nothing")).toContain("npx sheepdog runs");
  await close();
  const none = { SHEEPDOG_HOME: await file("none"), HOME: home.dir };
  const io = fakeIo({ env: { ...none, ...npx }, cwd: home.dir });
  await main(["runs"], io);
  await main(["run", "Go."], io);
  await main(["rum"], io);
  await main(["budget"], io);
  expect(io.err() + io.out()).not.toMatch(/(?<!npx )sheepdog (?:run|demo|init|analyze|budget|--help)\b/);
});
