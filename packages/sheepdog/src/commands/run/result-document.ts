import type { Reason, Run, RunResult, RunState } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import { exitCode } from "../../exit-code.ts";
import { spentBy } from "../../render/timeline/spent-words.ts";

/** What `--json` prints, and `--stream-json` as its last line. */
export interface ResultDocument {
  readonly schemaVersion: 1;
  readonly state: RunState;
  /** null where the run did not begin. */
  readonly reason: Reason | null;
  readonly exitCode: number;
  /** The answer, or where there is none what was done and what failed. */
  readonly text: string;
  /** One sentence about what went wrong, where something did. */
  readonly problem?: string;
  readonly usage: RunResult["usage"] | null;
  /** With its subagents. */
  readonly costUsd: number | null;
  readonly sessionId: string | null;
  readonly runId: string | null;
  /** `provider:id` */
  readonly model: string | null;
  readonly turns: number;
  readonly interventions: readonly (Omit<Intervention, "costNanoUsd"> & { readonly costUsd?: number })[];
  /** The command that goes on; null where there is nothing to go on with. */
  readonly resume: string | null;
}

/** The document of a run that has ended. */
export function resultDocument(
  result: RunResult,
  { model, resume }: { readonly model: string; readonly resume: string | undefined },
): ResultDocument {
  const { state, reason, exitCode, text, problem, usage, sessionId, runId, turns, interventions } = result;
  const spent = spentBy(result);
  return {
    schemaVersion: 1,
    state,
    reason,
    exitCode,
    text,
    ...(problem === undefined ? {} : { problem }),
    usage,
    costUsd: spent === null ? null : spent / 1e9,
    sessionId,
    runId,
    model,
    turns,
    interventions: interventions.map(({ costNanoUsd: nanoUsd, ...rest }) => ({
      ...rest,
      ...(nanoUsd === undefined ? {} : { costUsd: nanoUsd / 1e9 }),
    })),
    resume: resume ?? null,
  };
}

/** The document where the run did not begin. */
export function unbegunDocument(problem: string, exitCode: number): ResultDocument {
  return {
    schemaVersion: 1,
    state: "error",
    reason: null,
    exitCode,
    text: "",
    problem,
    usage: null,
    costUsd: null,
    sessionId: null,
    runId: null,
    model: null,
    turns: 0,
    interventions: [],
    resume: null,
  };
}

/** The document where the process breaks in the middle of a run: of what it had done only the books know. */
export function brokenDocument(
  { sessionId, runId }: Pick<Run, "sessionId" | "runId">,
  problem: string,
  resume: string | undefined,
): ResultDocument {
  return {
    ...unbegunDocument(problem, exitCode.failed),
    reason: "internal_error",
    sessionId,
    runId,
    resume: resume ?? null,
  };
}
