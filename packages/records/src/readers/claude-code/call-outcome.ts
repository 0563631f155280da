import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedStatus } from "../../trajectory/recorded-run.ts";
import type { ToolResult } from "../anthropic/content.ts";
import { textField } from "../fields.ts";
import type { CallResult } from "../step-list.ts";

/** The result of a call. `details` is the structured copy of it, which Claude Code keeps beside the message. */
export function callOutcome({ isError, content }: ToolResult, details: unknown, denial?: unknown): CallResult {
  const status = denial === undefined ? recordedStatus(content, isError, details) : "denied";
  return {
    result: content === "" ? emptyResult(details) : content,
    isError: isError || status !== undefined,
    ...(status === undefined ? {} : { status }),
    ...(isError && isCancelledSibling(content) ? { isResultUnknown: true as const } : {}),
  };
}

/** Of parallel calls, those beside a failed one were never done, so that nothing can be said about them. */
function isCancelledSibling(content: unknown): boolean {
  return typeof content === "string" && siblingWords.test(withoutErrorTag(content));
}

const siblingWords = /^Sibling tool call errored|^Cancelled: parallel tool call/;

const rejection = "The user doesn't want to proceed with this tool use";
const REASON = "the user said:";

/** What a person wrote when refusing a call; undefined without a reason. */
export function refusalReason({ content }: ToolResult): string | undefined {
  if (typeof content !== "string" || !content.startsWith(rejection)) return undefined;
  const start = content.indexOf(REASON);
  return start < 0 ? undefined : textField(content.slice(start + REASON.length).trim());
}

/** The streams of a command whose result has no text. */
function emptyResult(details: unknown): unknown {
  if (!isObject(details)) return "";
  const { stdout, stderr } = details;
  return [textField(stdout), textField(stderr)].filter((stream) => stream !== undefined).join("\n");
}

/** Beginnings of results, in the words of several versions. */
const beginnings: readonly (readonly [RegExp, RecordedStatus])[] = [
  [/^The user doesn't want to proceed with this tool use|^User rejected/, "denied"],
  [/^Permission to use .{1,200} (?:has been|was) (?:auto-)?denied/s, "denied"],
  [/^Claude requested permissions? (?:to|for) /, "denied"],
  [/^This (?:command|Bash command|operation) (?:contains .{1,200} that )?requires? approval/s, "denied"],
  [/^(?:PreToolUse:.{1,200} hook error|.{1,200} operation blocked by hook|Execution stopped by PreToolUse)/s, "denied"],
  [/^\[Request interrupted by user|^The user doesn't want to take this action right now/, "interrupted"],
  [siblingWords, "interrupted"],
  [/^Tool (?:execution|use) (?:was )?(?:aborted|cancelled)/, "interrupted"],
  [/^(?:Error: )?No such tool available/, "unknown-tool"],
  [/^InputValidationError/, "invalid-arguments"],
  [/^(?:Exit code \d+\s+)?Command timed out after /, "timeout"],
];
const LONGEST_BEGINNING = 600;

function recordedStatus(content: unknown, isError: boolean, details: unknown): RecordedStatus | undefined {
  if (isObject(details) && details["interrupted"] === true) return "interrupted";
  if (!isError || typeof content !== "string") return undefined;
  const text = withoutErrorTag(content);
  return beginnings.find(([pattern]) => pattern.test(text))?.[1];
}

function withoutErrorTag(content: string): string {
  return content.slice(0, LONGEST_BEGINNING).replace(/^<(?:tool_use_)?error>/, "");
}
