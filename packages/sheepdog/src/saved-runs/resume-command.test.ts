import { expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { raisedResumeCommand, resumeHint } from "./resume-command.ts";
import type { RunSummary } from "./run-summary.ts";

const here = { cwd: "/", config: configSchema.parse({ agent: { max_turns: 3 } }) };
const ended = (reason: string, state: string): RunSummary =>
  ({
    sessionId: "ses_a",
    state,
    isLast: true,
    costNanoUsd: 0,
    run: { runId: "run_a", workspace: "/", reason },
  }) as unknown as RunSummary; // as much of one as is looked at

test("the command that goes on raises what would end the run again", () => {
  expect(raisedResumeCommand(ended("max_turns", "max_steps"), here)).toBe("sheepdog run --resume ses_a --max-turns 6");
  expect(raisedResumeCommand(ended("doom_loop", "error"), here)).toBe("sheepdog run --resume ses_a");
});

test("a run that is complete is not gone on with", () => {
  expect(resumeHint(ended("answered", "completed"), here)).toBeUndefined();
});
