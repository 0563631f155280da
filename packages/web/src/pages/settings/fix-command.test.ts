import { expect, test } from "vitest";
import { readFix } from "./fix-command.ts";

test("a fix is split into its words and the command to copy", () => {
  expect(readFix("sheepdog run --resume ses_gone")).toEqual({ text: "", command: "sheepdog run --resume ses_gone" });
  expect(readFix("Free some space. To remove old runs: sheepdog prune")).toEqual({
    text: "Free some space. To remove old runs:",
    command: "sheepdog prune",
  });
});

test("a fix without a command is only a sentence", () => {
  const sentence = "Set the clock: the day and month budgets depend on it.";
  expect(readFix(sentence)).toEqual({ text: sentence, command: undefined });
});
