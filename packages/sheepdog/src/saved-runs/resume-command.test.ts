import { expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { raisedResumeCommand, resumeHint } from "./resume-command.ts";
import type { RunSummary } from "./run-summary.ts";

const context = { cwd: "/", config: configSchema.parse({ agent: { max_turns: 3 } }) };
const ended = (reason: string, state: string, result: RunSummary["ended"] = {}): RunSummary =>
  ({
    ended: result,
    limits: {},
    sessionId: "ses_a",
    state,
    isLast: true,
    costNanoUsd: 0,
    run: { runId: "run_a", workspace: "/", reason },
  }) as unknown as RunSummary; // the fields that these functions read

test("the resume command raises the limit that would end the run again", () => {
  expect(raisedResumeCommand(ended("max_turns", "max_steps"), context)).toBe(
    "sheepdog run --resume ses_a --max-turns 6",
  );
  expect(raisedResumeCommand(ended("doom_loop", "error"), context)).toBe("sheepdog run --resume ses_a");
});

test("a limit is raised above what the run was started with, whatever the configuration has now", () => {
  const spec = { version: 1, isAttended: false, settings: { "agent.max_turns": 40 } } as const;
  const run = {
    ...ended("max_turns", "max_steps"),
    run: { runId: "run_a", workspace: "/", reason: "max_turns", spec },
  };
  expect(raisedResumeCommand(run as unknown as RunSummary, context)).toBe("sheepdog run --resume ses_a --max-turns 80");
});

test("a run that broke off is resumed without a flag: what it was started with is saved", () => {
  const interrupted = { ...ended("", "broken_off"), run: { runId: "run_a", workspace: "/" } } as RunSummary;
  expect(raisedResumeCommand(interrupted, context)).toBe("sheepdog run --resume ses_a");
});

test("a run whose context was too small is resumed with a larger one, or not at all if there is none", () => {
  const tooLong = (result: RunSummary["ended"]) => ended("prompt_too_long", "error", result);
  expect(raisedResumeCommand(tooLong({ neededContextTokens: 90_000 }), context)).toBe(
    "sheepdog run --resume ses_a --set agent.max_context_tokens=90000",
  );
  expect(raisedResumeCommand(tooLong({}), context)).toBeUndefined();
  expect(resumeHint(tooLong({}), context)).toBeUndefined();
});

test("a completed run cannot be resumed", () => {
  expect(resumeHint(ended("answered", "completed"), context)).toBeUndefined();
});
