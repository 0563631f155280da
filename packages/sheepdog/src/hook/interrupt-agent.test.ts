import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { findAncestor, interruptAgent } from "./interrupt-agent.ts";

const scratch = scratchFolder();
const headlessMark = '"source":"exec"';

test("the nearest process of the program is found among the ancestors", () => {
  const running = new Map([
    [10, { parent: 1, program: "/usr/bin/codex" }],
    [20, { parent: 10, program: "codex" }],
    [30, { parent: 20, program: "/bin/sh" }],
    [31, { parent: 1, program: "codex" }], // of another session
  ]);
  expect(findAncestor("codex", 30, running)).toBe(20);
  expect(findAncestor("claude", 30, running)).toBeUndefined();
  expect(findAncestor("codex", 99, running)).toBeUndefined();
});

test("a program without a terminal is interrupted", async () => {
  const recording = await scratch("rollout.jsonl", '{"type":"session_meta","payload":{"source":"exec"}}\n{}\n');
  const program = spawn("sleep", ["20"]);
  interruptAgent({ program: "sleep", recording, headlessMark }, program.pid ?? 0);
  expect(await once(program, "exit")).toEqual([null, "SIGINT"]);
});

test("a program with a terminal is left alone, and so is one without a recording", async () => {
  const recording = await scratch(
    "rollout.jsonl",
    '{"type":"session_meta","payload":{"source":"cli"}}\n"source":"exec"\n',
  );
  const program = spawn("sleep", ["20"]);
  interruptAgent({ program: "sleep", recording, headlessMark }, program.pid ?? 0);
  interruptAgent({ program: "sleep", recording: `${recording}.missing`, headlessMark }, program.pid ?? 0);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(program.exitCode).toBeNull();
  expect(program.signalCode).toBeNull();
  program.kill("SIGKILL");
});
