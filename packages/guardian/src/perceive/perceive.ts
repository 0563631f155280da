import type { Status, ToolKind } from "../signal.ts";
import { canonical } from "./canonical.ts";
import { complaintOf, failureWords, isFailed } from "./failure.ts";
import { hashWord } from "./hash.ts";
import { inferKind } from "./kind.ts";
import type { CallPrint, Digest, OutcomePrint } from "./print.ts";
import { scan, wordsOf } from "./scan.ts";
import { holds, sketchOf } from "./sketch.ts";

const PRINT = 12;
const EXCERPT = 160;
const PROSE = 80;

/** A call before it is perceived. */
export interface RawCall {
  readonly tool: string;
  readonly args: unknown;
  /** What the caller knows of the tool; otherwise inferred from its name and arguments. */
  readonly kind?: ToolKind;
  /** The tool's own key for "the same call", in place of its arguments. */
  readonly key?: string;
}

/** A result before it is perceived. */
export interface RawResult {
  readonly status: Status;
  readonly content: unknown;
}

/** What perceiving needs from its caller. */
export interface Senses {
  readonly digest: Digest;
  /** Takes secrets out of the one line that a message may quote. */
  readonly redact: (line: string) => string;
}

/** Fingerprints a call: its arguments go in, prints come out. */
export function perceiveCall(call: RawCall, senses: Senses): { readonly kind: ToolKind; readonly print: CallPrint } {
  const args = parsed(call.args);
  const words = new Set<number>();
  const identifying: string[] = [];
  const told = canonical(args, (name, leaf) => {
    if (leaf === null || leaf === false || leaf === "" || leaf === 0) return; // default values: to name them is not to ask for more
    const text = String(leaf);
    for (const word of scanArgument(text)) words.add(word);
    if (!isProse(name, text)) identifying.push(`${name}=${normal(text)}`);
  });
  const text = call.key ?? told;
  const sorted = [...words].sort((a, b) => a - b).join();
  const print = {
    exact: senses.digest.of(`${call.tool} ${text}`).slice(0, PRINT),
    loose: senses.digest.of(`${call.tool} ${call.key ?? (text.length > 2 * 16_384 ? text : sorted)}`).slice(0, PRINT),
    words: sketchOf(words),
  };
  const kind = call.kind ?? inferKind(call.tool, args);
  if (identifying.length === 0) return { kind, print };
  return { kind, print: { ...print, target: senses.digest.of(`${call.tool} ${identifying.sort().join("\n")}`).slice(0, PRINT) } };
}

/** Fingerprints an outcome. The echo of the call's own words is no news. */
export function perceiveOutcome(result: RawResult, call: CallPrint | undefined, senses: Senses): OutcomePrint {
  const text = contentText(result.content);
  const seen = scan(text, call === undefined ? undefined : holds(call.words));
  const isFailure = isFailed(result.status, text);
  const complaint = isFailure ? complaintOf(text) : undefined;
  const excerpt = excerptOf(text, isFailure, senses.redact);
  return {
    status: result.status,
    exact: senses.digest.of(`${result.status} ${text}`).slice(0, PRINT),
    masked: isFailure ? seen.shape : seen.masked,
    shape: seen.shape,
    last: seen.last,
    size: text.length,
    substance: seen.words.size,
    words: isFailure ? "" : sketchOf(seen.words),
    ...(isFailure ? { failure: sketchOf(failureWords(text)) } : {}),
    ...(complaint === undefined ? {} : { complaint }),
    ...(excerpt === "" ? {} : { excerpt }),
  };
}

/** The words of a message that makes no call. */
export function perceiveText(text: string): string {
  return sketchOf(wordsOf(text));
}

/** Arguments often arrive as JSON text. */
function parsed(args: unknown): unknown {
  if (typeof args !== "string" || !/^\s*[[{]/.test(args)) return args;
  try {
    return JSON.parse(args);
  } catch {
    return args; // not JSON after all: a shell command may begin with a brace
  }
}

function scanArgument(text: string): Iterable<number> {
  const words = wordsOf(text);
  return words.size > 0 || text.trim() === "" ? words : [hashWord(text)]; // "*" or ">=" are arguments too
}

/** Free text rather than a name, a path, a number: long, of several words, or called so. */
function isProse(name: string, text: string): boolean {
  return text.length > PROSE || text.trim().split(/\s+/).length > 3 || freeText.test(name);
}

const freeText = /^(?:q|query|queries|question|search|keywords?|prompt|text|message|body|content|description|summary|thought|reason|comment|note)$/i;

/** Spellings of one name: case, `./`, a trailing slash, spaces around it. */
function normal(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(?:\.\/)+/, "")
    .replace(/(.)\/+$/, "$1");
}

/** The text of a result: a string as it is, MCP content by its text parts, anything else as canonical JSON. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (Array.isArray(content) && content.length > 0 && content.every(isTextPart)) return content.map((part) => part.text).join("\n");
  return canonical(content);
}

function isTextPart(part: unknown): part is { readonly type: "text"; readonly text: string } {
  return typeof part === "object" && part !== null && "type" in part && part.type === "text" && "text" in part && typeof part.text === "string";
}

/** The line of a result worth quoting: where it failed the one that complains, otherwise the first. */
function excerptOf(text: string, isFailure: boolean, redact: (line: string) => string): string {
  const lines = text
    .slice(0, 4_096)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const line = (isFailure ? lines.find((each) => /error|exception|fail|not found|denied|invalid|cannot/i.test(each)) : undefined) ?? lines[0] ?? "";
  const told = redact(line.slice(0, 4 * EXCERPT));
  return told.length > EXCERPT ? `${told.slice(0, EXCERPT - 1)}…` : told;
}
