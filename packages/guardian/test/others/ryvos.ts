import { call, pause, signal, times, turn } from "@sheepdog/guardian/testing";
import type { OtherProject } from "./other-project.ts";

const greet = (args: unknown = { command: "echo good morning" }) => call("bash", args, "good morning");
const oneOrder = { command: "make check", folder: "barn" };
const otherOrder = { folder: "barn", command: "make check" };

export const ryvos: OtherProject = {
  name: "Ryvos",
  repository: "Ryvos/ryvos",
  version: "738a457, 2026-07-25",
  files: ["crates/ryvos-agent/src/guardian.rs"],
  notTranslated: { count: 1, about: "default configuration" },
  tests: [
    {
      name: "three equal calls whose keys come in another order",
      source: "fingerprint_normalizes_key_order",
      script: times(3, (i) => call("run", i === 1 ? otherOrder : oneOrder, "2 checks passed")),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "three equal calls whose JSON is spaced differently",
      source: "fingerprint_strips_whitespace",
      script: times(3, (i) =>
        greet(i === 1 ? '{"command":"echo good morning"}' : '{ "command": "echo good morning" }'),
      ),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same shell command three times",
      source: "doom_loop_detection",
      script: times(3, () => greet()),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "one call each of three tools",
      source: "no_doom_loop_on_different_tools",
      script: [
        turn(call("bash", { command: "ls" }, "barn.ts gate.ts")),
        turn(call("read", { path: "barn.ts" }, "export const sheep = 12;")),
        turn(call("write", { path: "report.txt" }, "written")),
      ],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a run that does nothing for two minutes",
      source: "stall_detection",
      script: [signal({ type: "waiting", for: "nothing" }), pause(120_000)],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "time passes while no run is active",
      source: "no_stall_when_idle",
      script: [pause(360_000)],
      theirs: "silent",
      ours: "agree",
    },
  ],
};
