import { join } from "node:path";

/** Where a run is logged. */
export interface LogLocation {
  readonly dir: string;
  readonly sessionId: string;
  readonly runId: string;
}

/** Why the ids of a run cannot be file names; undefined when they can. */
export function logLocationProblem({ sessionId, runId }: LogLocation): string | undefined {
  return idProblem("session", sessionId) ?? idProblem("run", runId);
}

/** The folder of a session's logs. */
export function logFolder({ dir, sessionId }: LogLocation): string {
  return join(dir, sessionId);
}

/** The log file of a run. `part` selects a rotated file, from 1. */
export function logFile(location: LogLocation, part?: number): string {
  const { runId } = location;
  return join(logFolder(location), part === undefined ? `${runId}.jsonl` : `${runId}.${part}.jsonl`);
}

/** The number of a rotated file; undefined for every other file. */
export function partNumber({ runId }: LogLocation, file: string): number | undefined {
  if (!file.startsWith(`${runId}.`)) return undefined;
  const part = /^([1-9]\d{0,8})\.jsonl$/.exec(file.slice(runId.length + 1))?.[1];
  return part === undefined ? undefined : Number(part);
}

const validId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

function idProblem(what: string, id: string): string | undefined {
  if (validId.test(id)) return undefined;
  const shown = JSON.stringify(id.length > 64 ? `${id.slice(0, 64)}…` : id);
  return (
    `The ${what} id ${shown} cannot name a log: ` +
    `expected 1 to 128 letters, digits, "_" or "-", beginning with a letter or digit.`
  );
}
