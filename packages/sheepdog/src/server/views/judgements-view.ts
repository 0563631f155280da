import type { CommandResult, judgementSchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import { isId } from "../../compose/ids.ts";
import type { ViewContext } from "../view-context.ts";
import type { Judgement } from "./judgements/judgement-line.ts";
import { appendJudgement, judgementsFile, readJudgements } from "./judgements/judgements-file.ts";
import { loadRun } from "./run-data/load-run.ts";

/** The user's judgements about interventions, those that were taken back left out. */
export interface Judgements {
  readonly all: readonly Judgement[];
  /** null if the user has not judged it. */
  isRight(runId: string, interventionId: string): boolean | null;
}

/** Reads the judgements. The last one about an intervention counts. */
export async function judgementsOf({ home }: Pick<ViewContext, "home">): Promise<Judgements> {
  const latest = new Map<string, Judgement>();
  for (const judgement of await readJudgements(judgementsFile(home)))
    latest.set(keyOf(judgement.runId, judgement.interventionId), judgement);
  return {
    all: [...latest.values()].filter(({ isRight }) => isRight !== null),
    isRight: (runId, interventionId) => latest.get(keyOf(runId, interventionId))?.isRight ?? null,
  };
}

function keyOf(runId: string, interventionId: string): string {
  return JSON.stringify([runId, interventionId]);
}

/** Saves the user's judgement about an intervention of a run or a recording. */
export async function saveJudgement(
  context: ViewContext,
  runId: string,
  { interventionId, isRight }: z.infer<typeof judgementSchema>,
): Promise<CommandResult> {
  const failed = (text: string): CommandResult => ({ isDone: false, text, runId: null });
  if (!isId(runId) || interventionId.length > 300) return failed("There is no such run.");
  const detector = await detectorOf(context, runId, interventionId);
  if (detector === undefined) return failed("There is no such intervention: load the page again.");
  try {
    const judgement = { at: context.now(), runId, interventionId, detector, isRight };
    await appendJudgement(judgementsFile(context.home), judgement);
  } catch (error) {
    return failed(`Your judgement cannot be saved: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    isDone: true,
    text: isRight === null ? "Your judgement is taken back." : "Your judgement is saved.",
    runId: null,
  };
}

/** The detector of an intervention; undefined if the run has no such intervention. */
async function detectorOf(context: ViewContext, runId: string, id: string): Promise<string | undefined> {
  const run = await loadRun(context, runId);
  return run?.trace.interventions.find(({ intervention }) => intervention.id === id)?.intervention.detector;
}
