import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { findAncestor, interruptAgent } from "./interrupt-agent.ts";

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

test("the program is interrupted", async () => {
  const program = spawn("sleep", ["20"]);
  interruptAgent({ program: "sleep" }, program.pid ?? 0);
  expect(await once(program, "exit")).toEqual([null, "SIGINT"]);
});
