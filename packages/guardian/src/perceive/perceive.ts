import { asRecord } from "./as-record.ts";
import { canonical } from "./canonical.ts";
import { complaintOf, failureWords, isFailed, saysExitCodeOne, saysNothing } from "./failure.ts";
import { hashText, hashWord, mix } from "./hash.ts";
import { commandNames, inferKind, isSearch } from "./kind.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { CallPrint, Digest, OutcomePrint, Sketch, Status } from "./print.ts";
import { quotedLine } from "./quoted-line.ts";
import { collectWords, scan } from "./scan.ts";
import { sketchOf, type WordSet, wordSet } from "./sketch.ts";
import { isWrite, type ToolKind } from "./tool-kind.ts";

/** Characters of a digest that are stored. */
const PRINT_LENGTH = 12;
const EXCERPT_LENGTH = 160;
/** An argument with more characters is prose. */
const MAX_NAME = 80;
/** In a longer answer the echo of the question is not worth masking. */
const MAX_ECHO = 4_096;
/** A longer text is content, not a command. */
const MAX_COMMAND = 400;
/** Longer texts are scanned in part, so their loose print is not reliable. */
const MAX_SCANNED = 32_768;

/** A call before it is perceived. */
export interface RawCall {
  readonly tool: string;
  readonly args: unknown;
  /** Inferred from the tool's name and arguments when absent. */
  readonly kind?: ToolKind | undefined;
  /** The tool's own key for "the same call", in place of its arguments. */
  readonly key?: string | undefined;
}

/** A result before it is perceived. */
export interface RawResult {
  readonly status: Status;
  readonly content: unknown;
}

export interface PerceiveOptions {
  readonly digest: Digest;
  /** Removes secrets from the one line that a message may quote. */
  readonly redact: (line: string) => string;
  /** The number of characters of each argument that tell calls apart; all when absent. */
  readonly argumentChars?: number | undefined;
}

/** Fingerprints a call; the prints hold no argument. */
export function perceiveCall(
  call: RawCall,
  options: PerceiveOptions,
): { readonly kind: ToolKind; readonly print: CallPrint } {
  const tool = String(call.tool); // from a model, through callers without types
  const args = truncateArguments(parseArguments(call.args), options.argumentChars);
  const kind = call.kind ?? inferKind(tool, args);
  const words = wordSet();
  // Sums of hashes, so that order does not count: of all words, and of the arguments that identify.
  let loose = hashWord(tool);
  let target: number | undefined;
  let isLooseReliable = call.key === undefined;
  const text = canonical(args, (name, leaf) => {
    if (leaf === null || leaf === false || leaf === "" || leaf === 0) return; // default values add nothing
    const value = String(leaf);
    const wordSum = collectWords(value, words) || hashWord(value); // "*" or ">=" have no words
    loose = (loose + mix(wordSum ^ hashWord(name))) | 0;
    if (value.length > MAX_SCANNED) isLooseReliable = false;
    for (const identifier of identifiersIn(name, leaf, kind))
      target = ((target ?? 0) + mix(hashWord(name) ^ hashName(identifier))) | 0;
  });
  const exact = options.digest.of(`${tool} ${call.key ?? text}`).slice(0, PRINT_LENGTH);
  const print = {
    exact,
    loose: isLooseReliable ? hashText(loose) : exact,
    target: target === undefined ? undefined : hashText(target),
    words: sketchOf(withoutOwnName(words, tool)),
    figures: figuresIn(text),
    isSearch: isSearch(tool, args) || undefined,
  };
  return { kind, print };
}

/** Fingerprints an outcome. Words of the call that the result echoes are not counted as content. */
export function perceiveOutcome(
  result: RawResult,
  call: CallPrint | undefined,
  { digest, redact }: PerceiveOptions,
): OutcomePrint {
  const { status, text } = answerOf(result.status, contentText(result.content), call);
  const echo = call === undefined || text.length > MAX_ECHO ? undefined : wordSet(call.words);
  const { masked, shape, last, words } = scan(text, echo);
  const isFailure = isFailed(status, text);
  return {
    status,
    exact: digest.of(text).slice(0, PRINT_LENGTH),
    masked: isFailure ? shape : masked,
    shape,
    last,
    size: text.length,
    substance: words.length,
    words: isFailure ? "" : words,
    failure: isFailure ? failureWords(text) : undefined,
    complaint: isFailure ? complaintOf(text) : undefined,
    isNothing: (!isFailure && saysNothing(text)) || undefined,
    excerpt: excerptOf(text, isFailure, redact),
  };
}

/** The status and the text of a result. A search that ends with exit code 1 and no output has answered: nothing. */
function answerOf(
  status: Status,
  text: string,
  call: CallPrint | undefined,
): { readonly status: Status; readonly text: string } {
  const hasFoundNothing = call?.isSearch === true && (status === "error" || status === "ok") && saysExitCodeOne(text);
  return hasFoundNothing ? { status: "ok", text: "" } : { status, text };
}

/** The numbers of a text, hashed. */
function figuresIn(text: string): string | undefined {
  const numbers = text.slice(0, MAX_ECHO).match(/\d+/g);
  return numbers === null ? undefined : hashText(hashWord(numbers.join()));
}

/** The words of arguments without those of the tool's own name, which say nothing: `edit {command: "edit 3:4 …"}`. */
function withoutOwnName(words: WordSet, tool: string): WordSet {
  const own = wordSet();
  collectWords(tool, own);
  return new Set([...words].filter((word) => !own.has(word)));
}

/** The words of a message without calls. */
export function perceiveText(text: string): Sketch {
  const words = wordSet();
  collectWords(text, words);
  return sketchOf(words);
}

function truncateArguments(args: unknown, chars: number | undefined): unknown {
  if (chars === undefined || typeof args !== "object" || args === null) return args;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      (typeof value === "string" ? value : canonical(value)).slice(0, chars),
    ]),
  );
}

/**
 * The parts of an argument that identify what the call is about.
 * A write with another number is another action; a question with another number is about the same thing.
 */
function identifiersIn(name: string, leaf: unknown, kind: ToolKind): readonly string[] {
  const value = String(leaf);
  if (!isProse(name, value)) return isWrite(kind) || typeof leaf === "string" ? [value] : [];
  if (value.length > MAX_COMMAND || !commandNames.test(name)) return [];
  return value.match(identifierInProse) ?? [];
}

/** Free text rather than a name, a path or a number: long, of more than three words, or under a name for free text. */
function isProse(name: string, value: string): boolean {
  if (value.length > MAX_NAME) return true;
  if (freeTextNames.has(name.toLowerCase()) && !looksLikeId.test(value)) return true;
  return countGaps(value) > 2;
}

/** "msg-3" is an id, also in a field for free text. */
const looksLikeId = /^[\w.#@-]{0,32}\d[\w.#@-]{0,32}$/;

const freeTextNames = new Set(
  (
    "q query queries question search keyword keywords prompt text message body content description summary thought " +
    "reason comment note"
  ).split(" "),
);

/** The number of gaps between words; characters up to the space are blank. */
function countGaps(value: string): number {
  let gaps = 0;
  for (let i = 1; i < value.length; i++) if (value.charCodeAt(i) > 32 && value.charCodeAt(i - 1) <= 32) gaps++;
  return gaps;
}

/** Paths, files, addresses and tables in a command or a query. */
const identifierInProse = /[\w.-]*\/[\w./:-]+|\b[\w-]+\.[a-z]\w{0,4}\b|\b(?:from|join|into|table)\s+[\w.]+/gi;

/** The hash of a name, ignoring case, `./`, a trailing slash and spaces around it. */
function hashName(text: string): number {
  const name = text.trim().toLowerCase();
  const start = name.startsWith("./") ? 2 : 0;
  return hashWord(name.slice(start, name.length > 1 && name.endsWith("/") ? -1 : undefined));
}

/** The text of a result: a string as it is, MCP content by its text parts, anything else as canonical JSON. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (content instanceof Error) return `${content.name}: ${content.message}`;
  if (Array.isArray(content) && content.length > 0 && content.every(isTextPart))
    return content.map((part) => part.text).join("\n");
  return canonical(content);
}

function isTextPart(part: unknown): part is { readonly type: "text"; readonly text: string } {
  const { type, text } = asRecord(part);
  return type === "text" && typeof text === "string";
}

const esc = String.fromCharCode(27);
/** Sequences for a terminal: titles, links and the clipboard, then colours and the cursor. */
const sequences = new RegExp(
  `${esc}[\\]PX^_][^${esc}${String.fromCharCode(7)}]{0,4096}|${esc}\\[[\\d;?]{0,20}[A-Za-z]`,
  "g",
);
/** Other control characters except the tab, and marks that change the direction of text. */
const invisible = /(?!\t)\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A line as a reader sees it: without sequences for a terminal and without marks of direction. */
function visibleText(line: string): string {
  return line.replace(sequences, "").replace(invisible, "").trim();
}

/**
 * The line of a result worth quoting, without its secrets: of a failure the line that says what went wrong, otherwise
 * the first.
 */
function excerptOf(text: string, isFailure: boolean, redact: PerceiveOptions["redact"]): string | undefined {
  const line = isFailure ? quotedLine(text) : /\S.*/.exec(text.slice(0, 4_096))?.[0];
  const redacted = redact(visibleText(line ?? "").slice(0, 2 * EXCERPT_LENGTH));
  if (redacted.length > EXCERPT_LENGTH) return `${redacted.slice(0, EXCERPT_LENGTH - 1)}…`;
  return redacted || undefined;
}
