import { createLoopGuard } from "../guard/create-loop-guard.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import { readPlaced } from "../guard/placed-notice.ts";
import { type CurrentRun, currentRun } from "./current-run.ts";
import type { OpenAIAgentsGuard, OpenAIAgentsGuardState } from "./openai-agents-guard.ts";
import { type ReportedUsage, UsageReader } from "./usage-reader.ts";

/** Creates the guard of one run. Wrong options throw; nothing that a model or a tool returns does. */
export function createOpenAIAgentsGuard(options: GuardOptions = {}): OpenAIAgentsGuard {
  const loop = createLoopGuard(options);
  const usage = new UsageReader(loop, readReported(options.state));
  const run: CurrentRun = { loop, usage, placed: readPlaced(options.state) };
  return {
    run: (start) => currentRun.run(run, start),
    userMessage: () => loop.userMessage(),
    get stop() {
      return loop.stop;
    },
    guardian: loop.guardian,
    snapshot: () => ({ ...loop.snapshot(), placed: run.placed, reportedUsage: usage.reported }),
  };
}

/** The totals of a saved state; undefined if there are none. */
function readReported(state: unknown): ReportedUsage | undefined {
  const { reportedUsage } = (state ?? {}) as Partial<OpenAIAgentsGuardState>; // checked in the next line
  const { inputTokens, outputTokens, cacheReadTokens } = reportedUsage ?? {};
  return [inputTokens, outputTokens, cacheReadTokens].every(Number.isFinite) ? reportedUsage : undefined;
}
