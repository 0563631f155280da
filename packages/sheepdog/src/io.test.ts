import { expect, test } from "vitest";
import { fakeIo } from "../test/fake-io.ts";
import { main } from "./cli.ts";
import { messageText, writeMessage } from "./io.ts";

const path = `/home/${"long-".repeat(10)}name`;

test("in a terminal, messages break between words, and keep words, lines and their indentation", async () => {
  const io = fakeIo({ isTTY: true, columns: 40 });
  await writeMessage(io, `the file ${path} cannot be read; see all with: sheepdog runs`);
  expect(io.err()).toBe(`sheepdog: the file\n${path}\ncannot be read; see all with: sheepdog\nruns\n`);
  expect(messageText(io, "one\n  sheepdog demo     watch the guardian at work")).toBe(
    "one\n  sheepdog demo watch the guardian at\n  work",
  );
});

test("without a terminal, a message is one line", async () => {
  const io = fakeIo();
  await writeMessage(io, "word ".repeat(40).trim());
  expect(io.err().split("\n")).toHaveLength(2);
});

test.each([
  ["show", "nothing"],
  ["rum"],
  ["runs", "--state", "sleepy"],
  ["run", "--resume", "ses_none"],
  ["run", "Go."],
])("sheepdog %s: in 40 columns the error breaks no word", async (...argv) => {
  const io = fakeIo({ isTTY: true, columns: 40, env: { SHEEPDOG_HOME: "/nowhere/at/all" } });
  expect(await main(argv, io)).toBe(2);
  const lines = io.err().trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
});
