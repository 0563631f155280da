import type { Status } from "@sheepdog/guardian";

/** What Claude Code itself writes in the name of the user begins like this. */
const automaticBeginnings: readonly string[] = [
  "<bash-",
  "<cron",
  "<local-command-",
  "<task-notification",
  "<teammate-message",
  "<tick",
  "Stop hook feedback",
  "[SYSTEM NOTIFICATION",
];

/** Whether the program wrote the prompt: the end of a background task, a message of another agent, a timer. */
export function isAutomaticPrompt(text: string): boolean {
  const start = text.trimStart();
  return automaticBeginnings.some((beginning) => start.startsWith(beginning));
}

/** Beginnings of results that say how the call ended. */
const beginnings: readonly (readonly [RegExp, Status])[] = [
  [/^The user doesn't want to proceed with this tool use|^User rejected/, "denied"],
  [/^Permission to use .{1,200} (?:has been|was) (?:auto-)?denied/s, "denied"],
  [/^Claude requested permissions? (?:to|for) /, "denied"],
  [/^(?:PreToolUse:.{1,200} hook error|.{1,200} operation blocked by hook|Execution stopped by PreToolUse)/s, "denied"],
  [/^\[Request interrupted by user|^The user doesn't want to take this action right now/, "interrupted"],
  [/^Sibling tool call errored|^Cancelled: parallel tool call/, "interrupted"],
  [/^(?:Error: )?No such tool available/, "unknown-tool"],
  [/^InputValidationError/, "invalid-arguments"],
  [/^(?:Exit code \d+\s+)?Command timed out after /, "timeout"],
  [/^Exit code [1-9]/, "error"],
];
const LONGEST_BEGINNING = 600;

const errorTag = /^<(?:tool_use_)?error>/;

/** How the call of a failed result ended; undefined for a text that does not say that it failed. */
export function failureStatus(content: unknown): Status | undefined {
  if (typeof content !== "string") return undefined;
  const start = content.slice(0, LONGEST_BEGINNING);
  const text = start.replace(errorTag, "");
  const status = beginnings.find(([pattern]) => pattern.test(text))?.[1];
  return status ?? (errorTag.test(start) ? "error" : undefined);
}

/** Claude Code cuts longer texts. */
const MAX_CHARS = 10_000;

/** A text that Claude Code shows completely. */
export function capped(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}
