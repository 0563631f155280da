import { createHash } from "node:crypto";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { AttachedGuardian, RecordedRun } from "@sheepdog/records";
import { maskedTexts } from "./masked-recording.ts";
import type { RecordingEntry } from "./recording-library.ts";

/** The longest task that a list keeps. */
const MAX_TASK_CHARS = 2_000;
const MAX_NAME_CHARS = 200;
/** A secret at the cut of a list is masked too. */
const MAX_READ_CHARS = 10_000;

/** Where a run stands in a file: its line, and how many runs before it have the same id. */
export interface RecordingPosition {
  readonly file: string;
  readonly line: number;
  readonly sameIds: number;
}

/** A recorded run as a list shows it, without its steps. */
export function recordingEntry(run: RecordedRun, { file, line, sameIds }: RecordingPosition): RecordingEntry {
  const times = run.steps.flatMap((step) =>
    [step.at, ...step.calls.map(({ at }) => at)].filter((at) => at !== undefined),
  );
  const costs = run.steps.flatMap(({ usage }) =>
    usage?.costUsd === undefined ? [] : [Math.round(usage.costUsd * 1e9)],
  );
  const { guardian } = run;
  const { source, model, task, outcome, project } = maskedTexts({
    ...run,
    ...(run.task === undefined ? {} : { task: run.task.slice(0, MAX_READ_CHARS) }),
  });
  return {
    id: recordingId(file, run.id, sameIds),
    recordedId: shortened(redactSecrets(run.id), MAX_NAME_CHARS) ?? "",
    source: shortened(source, MAX_NAME_CHARS) ?? "trajectory",
    file,
    line,
    model: shortened(model, MAX_NAME_CHARS),
    task: shortened(task, MAX_TASK_CHARS),
    outcome: shortened(outcome, MAX_NAME_CHARS),
    startedAt: times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b)),
    endedAt: times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b)),
    turns: run.steps.length,
    calls: run.steps.reduce((sum, { calls }) => sum + calls.length, 0),
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / 1e9,
    workspace: shortened(project, MAX_TASK_CHARS),
    ...(guardian === undefined ? {} : { guardian: standOf(guardian) }),
  };
}

function standOf({ activity, lastAt }: AttachedGuardian): Pick<AttachedGuardian, "activity" | "lastAt"> {
  return { activity, ...(lastAt === undefined ? {} : { lastAt }) };
}

/** Counts the runs of a file that came before with the same id. Ids are compared without their secrets. */
export function createSameIds(): (id: string) => number {
  const counts = new Map<string, number>();
  return (id) => {
    const key = redactSecrets(id);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
}

/**
 * The id of a recorded run, which `sheepdog show` takes: the same whenever the file is read, with secrets masked or
 * not.
 */
export function recordingId(file: string, id: string, sameIds: number): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([file, redactSecrets(id), sameIds]))
    .digest("hex");
  return `rec_${digest.slice(0, 20)}`;
}

/** A text that shares no memory with the line it comes from. */
function shortened(text: string | undefined, maxChars: number): string | undefined {
  return text === undefined ? undefined : Buffer.from(text.slice(0, maxChars)).toString("utf8");
}
