/** The user's judgement about an intervention of a run, as a line of the file. */
export interface Judgement {
  readonly at: number;
  readonly runId: string;
  readonly interventionId: string;
  readonly detector: string | null;
  /** null takes an earlier judgement back. */
  readonly isRight: boolean | null;
}

const MAX_ID_CHARS = 300;

/** Reads a line; undefined if it is no judgement. */
export function parseJudgement(line: string): Judgement | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // a line that was cut off, or edited by hand
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>; // each is checked
  const { at, runId, interventionId, detector, isRight } = fields;
  if (!isText(runId) || !isText(interventionId)) return undefined;
  if (typeof isRight !== "boolean" && isRight !== null) return undefined;
  return {
    at: typeof at === "number" && Number.isFinite(at) ? at : 0,
    runId,
    interventionId,
    detector: isText(detector) ? detector : null,
    isRight,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID_CHARS;
}
