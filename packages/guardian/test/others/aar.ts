import { call, fails, says, times, turn } from "@sheepdog/guardian/testing";
import type { OtherProject } from "./other-project.ts";
import { hintsFirst } from "./reasons.ts";

const repeat = (text: string) => call("repeat", { text }, `you said: ${text}`);
const animals = ["sheep", "goat", "donkey", "goose", "horse"];
const animal = (i: number) => animals[i] ?? "";

export const aar: OtherProject = {
  name: "AAR",
  repository: "fischerf/aar",
  version: "bcbf06a, 2026-04-24",
  files: ["tests/test_loop.py"],
  notTranslated: {
    count: 23,
    about:
      "callbacks, streaming, cancellation, retries of the provider, durations, continuing a reply that was cut off",
  },
  tests: [
    {
      name: "a reply without calls",
      source: "test_loop_terminates_on_end_turn",
      script: [says("Good morning!")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a cut-off reply that is continued once",
      source: "test_loop_continues_after_max_tokens",
      script: [says("Once there was a shepherd who", "length"), says("lived on a hill. The end.")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "more steps than the limit of three",
      source: "test_loop_enforces_max_steps",
      policy: { limits: { turns: { stop: 3 } } },
      script: times(5, (i) => repeat(animal(i))),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "more time than the limit",
      source: "test_loop_enforces_timeout",
      policy: { limits: { time: { stop: 50 } } },
      script: times(5, (i) => ({ ...repeat(animal(i)), ms: 150 })),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "one call, then the answer",
      source: "test_loop_executes_tool_call",
      script: [turn(repeat("sheep")), says("It said sheep.")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "one call of a tool that does not exist",
      source: "test_loop_handles_unknown_tool",
      script: [turn(fails("fly", { height: 3 }, "Unknown tool: fly", "unknown-tool")), says("I cannot fly.")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same call in four steps",
      source: "test_loop_detects_repetition_and_stops",
      script: times(4, () => repeat("sheep")),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "one tool with four different arguments",
      source: "test_loop_allows_same_tool_with_different_args",
      script: times(4, (i) => repeat(animal(i))),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "two calls in one reply",
      source: "test_loop_handles_multiple_tool_calls",
      script: [turn(repeat("sheep"), repeat("goat")), says("Both were said.")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "one call that fails",
      source: "test_loop_handles_tool_execution_error",
      script: [turn(fails("weigh", {}, "the scale is broken")), says("I could not weigh it.")],
      theirs: "silent",
      ours: "agree",
    },
  ],
};
