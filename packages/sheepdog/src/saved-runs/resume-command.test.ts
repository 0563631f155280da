import { expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { raisedResumeCommand, resumeHint } from "./resume-command.ts";
import type { RunSummary } from "./run-summary.ts";

const context = { cwd: "/", config: configSchema.parse({ agent: { max_turns: 3 } }) };
const ended = (reason: string, state: string): RunSummary =>
  ({
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

test("a completed run cannot be resumed", () => {
  expect(resumeHint(ended("answered", "completed"), context)).toBeUndefined();
});
