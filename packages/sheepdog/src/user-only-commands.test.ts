import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../test/fake-io.ts";
import { scratchFolder } from "../test/scratch-folder.ts";
import { main } from "./cli.ts";

const file = scratchFolder();

test.for([
  ["config", "set", "budget.monthly_limit_cents", "0"],
  ["config", "set", "--project", "model.base_url", "https://evil.example"],
  ["config", "unset", "agent.max_turns"],
  ["config", "trust", "-y"],
  ["init", "-y"],
  ["budget", "set", "month", "off"],
  ["budget", "raise", "last", "100"],
  ["memory", "safety", "remove", "lesson_1"],
  ["memory", "safety", "clear", "--yes"],
  ["prune", "--yes", "--audit-older-than", "0d"],
  ["cost", "settle", "req_1", "--zero", "--yes"],
])("an agent cannot loosen its limits: %j", async (argv) => {
  const folder = dirname(await file("here"));
  const io = fakeIo({ cwd: folder, env: { SHEEPDOG_HOME: `${folder}/home`, SHEEPDOG_CALL: "call_1" } });
  expect([await main(argv, io), io.out(), io.err()]).toEqual([
    2,
    "",
    "sheepdog: an agent started this command, and agents must not change their own limits; run it in your own " +
      "terminal\n",
  ]);
  expect(await readdir(folder)).toEqual([]);
});

test.each(["CLAUDECODE", "GEMINI_CLI", "SHEEPDOG_CALL"])("an attached agent cannot detach itself: %s", async (name) => {
  const folder = dirname(await file("here"));
  const io = () => fakeIo({ cwd: folder, env: { HOME: folder, [name]: "1" } });
  for (const argv of [["detach"], ["attach", "claude-code", "--observe", "--write"]])
    expect(await main(argv, io())).toBe(2);
  expect(await readdir(folder)).toEqual([]);
  expect(await main(["attach", "claude-code"], io())).toBe(0);
});

test("an agent may read the configuration and revoke trust", async () => {
  const io = fakeIo({
    cwd: dirname(await file("here")),
    env: { SHEEPDOG_HOME: await file("home"), SHEEPDOG_CALL: "call_1" },
  });
  expect([await main(["config", "get", "agent.max_turns"], io), io.out()]).toEqual([0, "25\n"]);
  await main(["config", "trust", "--revoke"], io);
  expect(io.err()).toBe("sheepdog: sheepdog.toml is not trusted\n");
});
