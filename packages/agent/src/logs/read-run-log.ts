import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { LogLine } from "./log-line.ts";
import { type LogLocation, logFile, logFolder, logLocationProblem, partNumber } from "./log-path.ts";

/** What a run log says, and what could not be read of it. */
export interface ReadLog {
  readonly lines: readonly LogLine[];
  readonly problems: readonly string[];
}

/** Reads a run's log with the parts put aside, oldest first. A line that cannot be read is told and passed over; the others stay. */
export async function readRunLog(place: LogLocation, signal?: AbortSignal): Promise<ReadLog> {
  const problem = logLocationProblem(place);
  if (problem !== undefined) return { lines: [], problems: [problem] };
  const lines: LogLine[] = [];
  const problems: string[] = [];
  for (const path of await partsOf(place)) {
    try {
      await readFile(path, lines, problems, signal);
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { lines, problems };
}

async function partsOf(place: LogLocation): Promise<readonly string[]> {
  const files = await readdir(logFolder(place)).catch(() => []); // the file itself then tells what is wrong
  const parts = files.flatMap((file) => partNumber(place, file) ?? []).sort((one, other) => one - other);
  return [...parts.map((part) => logFile(place, part)), logFile(place)];
}

async function readFile(path: string, lines: LogLine[], problems: string[], signal?: AbortSignal): Promise<void> {
  const input = createReadStream(path, { encoding: "utf8", ...(signal === undefined ? {} : { signal }) });
  const failed = new Promise<never>((_, reject) => input.once("error", reject));
  failed.catch(() => undefined); // raced below; readline itself says nothing of it on Node 20
  const rows = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (let number = 1; ; number += 1) {
    const { done, value } = await Promise.race([rows.next(), failed]);
    if (done === true) return;
    const row = value
      .replace(/^\ufeff/, "")
      .replace(/\0+/g, "")
      .trim();
    if (row === "") continue;
    const line = parse(row);
    if (line === undefined) problems.push(`${path}:${number}: not a whole line of JSON`);
    else lines.push(line);
  }
}

function parse(row: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(row);
    const isLine = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
    return isLine ? (value as LogLine) : undefined; // written by logLine; who edits it by hand gets what they wrote
  } catch {
    return undefined;
  }
}
