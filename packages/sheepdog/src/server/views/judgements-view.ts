import type { CommandResult, judgementSchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import { isId } from "../../compose/ids.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import type { ViewContext } from "../view-context.ts";
import type { Judgement } from "./judgements/judgement-line.ts";
import { appendJudgement, judgementsFile, readJudgements } from "./judgements/judgements-file.ts";
import { readableEvents } from "./run-data/readable-events.ts";

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
  const found = runId.startsWith("rec_")
    ? await isRecording(context, runId)
    : await detectorOf(context, runId, interventionId);
  if (found === undefined) return failed("There is no such intervention: load the page again.");
  const detector = typeof found === "string" ? found : null;
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

async function isRecording({ recordings }: ViewContext, id: string): Promise<true | undefined> {
  return (await recordings.list()).some((entry) => entry.id === id) ? true : undefined;
}

/** The detector of an intervention; undefined if the run has no such intervention. */
async function detectorOf({ stores, now }: ViewContext, runId: string, id: string): Promise<string | undefined> {
  const found = await findRun(stores, runId, now());
  if (!found.ok) return undefined;
  const { events } = readableEvents(await stores.events.after(found.summary.sessionId, 0));
  const judged = events.find(
    (event) => event.type === "GuardianIntervention" && event.runId === runId && event.intervention.id === id,
  );
  return judged?.type === "GuardianIntervention" ? judged.intervention.detector : undefined;
}
