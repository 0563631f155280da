import { redactSecrets } from "@sheepdog/guardian";
import { keepShape } from "../async/keep-shape.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { Mask } from "../secrets/redact-deep.ts";
import { type LineFile, openLineFile } from "./line-file.ts";
import type { LogLevel } from "./log-level.ts";
import { logLine } from "./log-line.ts";
import { type LogLocation, logLocationProblem } from "./log-path.ts";

export interface RunLogOptions extends LogLocation {
  readonly level: LogLevel;
  /** How long one input or output may be; 10,000 characters. */
  readonly maxChars?: number;
  /** How large the file may become before it is put aside; 10 MB. */
  readonly maxBytes?: number;
  /** How many files put aside are kept; 5. */
  readonly maxParts?: number;
  readonly redact?: Mask;
  /** The events come from a bus, which has taken the secrets out. */
  readonly isRedacted?: boolean;
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
  return new LoggedRun(options);
}

class LoggedRun implements RunLog {
  private readonly sessionId: string;
  private readonly runId: string;
  private readonly level: LogLevel;
  private readonly maxChars: number;
  private readonly mask: Mask | undefined;
  private readonly onProblem: (problem: string) => void;
  private readonly file: LineFile;
  private readonly wrongName: string | undefined;
  private startedAt: number | undefined = undefined;
  private hasProblem = false;

  constructor(options: RunLogOptions) {
    const {
      sessionId,
      runId,
      level,
      maxChars = 10_000,
      maxBytes = 10_000_000,
      maxParts = 5,
      redact = redactSecrets,
      isRedacted = false,
      onProblem = warn,
    } = options;
    this.sessionId = sessionId;
    this.runId = runId;
    this.level = level;
    this.maxChars = maxChars;
    this.mask = isRedacted ? undefined : redact;
    this.onProblem = onProblem;
    this.file = openLineFile(options, { maxBytes, maxParts });
    this.wrongName = logLocationProblem(options);
    if (this.wrongName !== undefined) this.report(this.wrongName);
  }

  write(...events: readonly AgentEvent[]): void {
    if (this.wrongName !== undefined) return;
    try {
      const lines = this.linesOf(events);
      if (lines !== "") this.file.append(lines);
    } catch (error) {
      this.report(`The run is not logged: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  close(): void {
    try {
      this.file.close();
    } catch (error) {
      this.report(`The log could not be closed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private linesOf(events: readonly AgentEvent[]): string {
    let lines = "";
    for (const event of events) lines += this.lineOf(event);
    return lines;
  }

  private lineOf(event: AgentEvent): string {
    if (event.sessionId !== this.sessionId || event.runId !== this.runId) return "";
    if (event.type === "RunStarted") this.startedAt = event.at;
    const { level, maxChars, mask, startedAt } = this;
    return logLine(event, { level, maxChars, mask, startedAt }) ?? "";
  }

  private report(problem: string): void {
    if (this.hasProblem) return;
    this.hasProblem = true;
    try {
      this.onProblem(problem);
    } catch {
      warn(problem); // the problem matters, not why it could not be told
    }
  }
}

function warn(problem: string): void {
  process.emitWarning(problem);
}

keepShape(new LoggedRun({ dir: "", sessionId: "", runId: "", level: 1, onProblem: () => undefined }));
