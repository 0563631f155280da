import type { AgentEvent } from "../protocol/events.ts";
import { openLineFile } from "./line-file.ts";
import type { LogLevel } from "./log-level.ts";
import { logLine } from "./log-line.ts";
import { type LogLocation, logLocationProblem } from "./log-path.ts";
import { createTurnRecorder } from "./turn-record.ts";

export interface RunLogOptions extends LogLocation {
  readonly level: LogLevel;
  /** Maximum length of one input, output or reply. Default: 10,000 characters. */
  readonly maxChars?: number;
  /** Size at which the file is rotated. Default: 10 MB. */
  readonly maxBytes?: number;
  /** How many rotated files stay. Default: 5. */
  readonly maxParts?: number;
  /** Called once, however often writing fails. */
  readonly onProblem?: (problem: string) => void;
}

/** The log of one run. A disk error never ends the run: it is reported through `onProblem`. */
export interface RunLog {
  /** Appends the lines of these events in one write. */
  write(...events: readonly AgentEvent[]): void;
  close(): void;
}

/** Creates the log `<dir>/<session>/<run>.jsonl`. Events come from the bus, which has removed their secrets. */
export function createRunLog(options: RunLogOptions): RunLog {
  const { sessionId, runId, level, maxChars = 10_000, maxBytes = 10_000_000, maxParts = 5 } = options;
  const { onProblem = emitWarning } = options;
  const file = openLineFile(options, { maxBytes, maxParts });
  const locationProblem = logLocationProblem(options);
  const recorder = createTurnRecorder();
  let startedAt: number | undefined;
  let hasReported = false;

  const report = (problem: string) => {
    if (hasReported) return;
    hasReported = true;
    try {
      onProblem(problem);
    } catch {
      emitWarning(problem);
    }
  };
  const lineOf = (event: AgentEvent): string => {
    if (event.sessionId !== sessionId || event.runId !== runId) return "";
    if (event.type === "RunStarted") startedAt = event.at;
    recorder.add(event);
    const turn = event.type === "TurnComplete" ? recorder.take() : undefined;
    return logLine(event, { level, maxChars, startedAt, turn }) ?? "";
  };

  if (locationProblem !== undefined) report(locationProblem);
  return {
    write(...events) {
      if (locationProblem !== undefined) return;
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

function emitWarning(problem: string): void {
  process.emitWarning(problem);
}
