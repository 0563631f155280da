import { join } from "node:path";

const name = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Why an id cannot name a file or a folder; undefined where it can. */
function idProblem(what: string, id: string): string | undefined {
  if (name.test(id)) return undefined;
  const shown = JSON.stringify(id.length > 64 ? `${id.slice(0, 64)}…` : id);
  return `The ${what} id ${shown} cannot name a log: expected 1 to 128 letters, digits, "_" or "-", beginning with a letter or digit.`;
}

/** Where a run is logged. */
export interface LogLocation {
  readonly dir: string;
  readonly sessionId: string;
  readonly runId: string;
}

/** Why there can be no log of that name; undefined where there can. */
export function logLocationProblem({ sessionId, runId }: LogLocation): string | undefined {
  return idProblem("session", sessionId) ?? idProblem("run", runId);
}

/** The folder of a session's logs. */
export function logFolder({ dir, sessionId }: LogLocation): string {
  return join(dir, sessionId);
}

/** The file of a run's log; `part` for one that was put aside when it had become too large, from 1. */
export function logFile(place: LogLocation, part?: number): string {
  return join(logFolder(place), part === undefined ? `${place.runId}.jsonl` : `${place.runId}.${part}.jsonl`);
}

/** The number of a part that was put aside; undefined for any other file. */
export function partNumber({ runId }: LogLocation, file: string): number | undefined {
  if (!file.startsWith(`${runId}.`)) return undefined;
  const part = /^([1-9]\d{0,8})\.jsonl$/.exec(file.slice(runId.length + 1))?.[1];
  return part === undefined ? undefined : Number(part);
}
