import { maskSecrets } from "@sheepdog/guardian";
import type { Mask } from "../bus/mask-deep.ts";
import type { AgentEvent } from "../events.ts";
import { openLineFile } from "./line-file.ts";
import type { LogLevel } from "./log-level.ts";
import { logLine } from "./log-line.ts";
import { type LogPlace, placeProblem } from "./log-name.ts";

export interface RunLogOptions extends LogPlace {
  readonly level: LogLevel;
  /** How long one input or output may be; 10,000 characters. */
  readonly maxChars?: number;
  /** How large the file may become before it is put aside; 10 MB. */
  readonly maxBytes?: number;
  /** How many files put aside are kept; 5. */
  readonly maxParts?: number;
  readonly mask?: Mask;
  /** The events come from a bus, which has taken the secrets out. */
  readonly isMasked?: boolean;
  /** Told once, however often writing fails. */
  readonly onProblem?: (problem: string) => void;
}

/** The log of one run, as a listener to its events. Nothing it meets on the disk ends the run. */
export interface RunLog {
  /** Writes the lines these events make, all at once. */
  write(...events: readonly AgentEvent[]): void;
  close(): void;
}

/** Logs a run to `<dir>/<session>/<run>.jsonl`, line by line. */
export function createRunLog(options: RunLogOptions): RunLog {
  const { sessionId, runId, level, maxChars = 10_000, maxBytes = 10_000_000, maxParts = 5, mask = maskSecrets, isMasked = false, onProblem = warn } = options;
  const file = openLineFile(options, { maxBytes, maxParts });
  let startedAt: number | undefined;
  let hasProblem = false;

  function report(problem: string): void {
    if (hasProblem) return;
    hasProblem = true;
    try {
      onProblem(problem);
    } catch {
      warn(problem); // the problem matters, not why it could not be told
    }
  }

  function lineOf(event: AgentEvent): string {
    if (event.sessionId !== sessionId || event.runId !== runId) return "";
    if (event.type === "RunStarted") startedAt = event.at;
    return logLine(event, { level, maxChars, mask: isMasked ? undefined : mask, startedAt }) ?? "";
  }

  const wrongName = placeProblem(options);
  if (wrongName !== undefined) report(wrongName);

  return {
    write(...events) {
      if (wrongName !== undefined) return;
      try {
        const lines = events.map(lineOf).join("");
        if (lines !== "") file.append(lines);
      } catch (error) {
        report(`The run is not logged: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    close() {
      try {
        file.close();
      } catch (error) {
        report(`The log could not be closed: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

function warn(problem: string): void {
  process.emitWarning(problem);
}
