import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { isRecord, parseJson } from "../protocol/json.ts";
import type { LogLine } from "./log-line.ts";
import { type LogLocation, logFile, logFolder, logLocationProblem, partNumber } from "./log-path.ts";

/** The lines of a run log, and sentences about what could not be read. */
export interface ReadLog {
  readonly lines: readonly LogLine[];
  readonly problems: readonly string[];
}

/** Reads a run's log with its rotated files, oldest first. Skips and reports lines that cannot be read. */
export async function readRunLog(location: LogLocation, signal?: AbortSignal): Promise<ReadLog> {
  const locationProblem = logLocationProblem(location);
  if (locationProblem !== undefined) return { lines: [], problems: [locationProblem] };
  const lines: LogLine[] = [];
  const problems: string[] = [];
  for (const path of await filesOf(location)) {
    try {
      for await (const { number, text } of readLines(path, signal)) {
        const line = parseLine(text);
        if (line === undefined) problems.push(`${path}:${number}: not a whole line of JSON`);
        else lines.push(line);
      }
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { lines, problems };
}

async function filesOf(location: LogLocation): Promise<readonly string[]> {
  const files = await readdir(logFolder(location)).catch(() => []); // reading the file then reports the problem
  const parts = files.flatMap((file) => partNumber(location, file) ?? []).sort((a, b) => a - b);
  return [...parts.map((part) => logFile(location, part)), logFile(location)];
}

/** The lines of a file that are not empty, with their numbers. */
async function* readLines(
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  const input = createReadStream(path, { encoding: "utf8", ...(signal === undefined ? {} : { signal }) });
  const failure = new Promise<never>((_, reject) => input.once("error", reject));
  failure.catch(() => undefined); // raced below: on Node 20, readline does not report stream errors
  const rows = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (let number = 1; ; number += 1) {
    const { done, value } = await Promise.race([rows.next(), failure]);
    if (done === true) return;
    const text = value
      .replace(/^\ufeff/, "")
      .replace(/\0+/g, "")
      .trim();
    if (text !== "") yield { number, text };
  }
}

function parseLine(text: string): LogLine | undefined {
  const value = parseJson(text);
  const isLine = isRecord(value) && typeof value["type"] === "string";
  return isLine ? (value as LogLine) : undefined; // written by logLine; an edited line is returned as it is
}
