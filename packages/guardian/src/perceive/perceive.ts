import { fields } from "../fields.ts";
import type { Status, ToolKind } from "../signal.ts";
import { isWrite } from "../signal.ts";
import { canonical } from "./canonical.ts";
import { complainingLine, complaintOf, failureWords, isFailed, saysNothing } from "./failure.ts";
import { hashText, hashWord, mix } from "./hash.ts";
import { commandNames, inferKind } from "./kind.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { CallPrint, Digest, OutcomePrint, Sketch } from "./print.ts";
import { collectWords, scan } from "./scan.ts";
import { giveBack, sketchOf, wordSet } from "./sketch.ts";

const PRINT = 12;
const EXCERPT = 160;
const PROSE = 80;
/** In a longer answer the echo of the question drowns. */
const SHORT = 4_096;
/** A longer text is content, not a command. */
const BRIEF = 400;
/** What a scan reads whole. */
const LONG = 32_768;

/** A call before it is perceived. */
export interface RawCall {
  readonly tool: string;
  readonly args: unknown;
  /** What the caller knows of the tool; otherwise inferred from its name and arguments. */
  readonly kind?: ToolKind | undefined;
  /** The tool's own key for "the same call", in place of its arguments. */
  readonly key?: string | undefined;
}

/** A result before it is perceived. */
export interface RawResult {
  readonly status: Status;
  readonly content: unknown;
}

/** What perceiving needs from its caller. */
export interface PerceiveOptions {
  readonly digest: Digest;
  /** Takes secrets out of the one line that a message may quote. */
  readonly redact: (line: string) => string;
  /** How many characters of each argument's value tell calls apart; all where it is absent. */
  readonly argumentChars?: number | undefined;
}

/** Fingerprints a call: its arguments go in, prints come out. */
export function perceiveCall(
  call: RawCall,
  senses: PerceiveOptions,
): { readonly kind: ToolKind; readonly print: CallPrint } {
  const tool = String(call.tool); // from a model, by way of callers without types
  const args = cut(parseArguments(call.args), senses.argumentChars);
  const kind = call.kind ?? inferKind(tool, args);
  const isDeed = isWrite(kind); // a deed with another number is another deed; a question with another number is about the same thing
  const words = wordSet();
  // Sums of hashes, so that order does not count: of all words, and of the arguments that identify.
  let loose = hashWord(tool);
  let target: number | undefined;
  let isWhole = call.key === undefined;
  const told = canonical(args, (name, leaf) => {
    if (leaf === null || leaf === false || leaf === "" || leaf === 0) return; // default values: to name them is not to ask for more
    const text = String(leaf);
    loose = (loose + mix((collectWords(text, words) || hashWord(text)) ^ hashWord(name))) | 0; // "*" or ">=" are arguments too
    if (text.length > LONG) isWhole = false;
    const names = isProse(name, text)
      ? text.length > BRIEF || !commandNames.test(name)
        ? []
        : (text.match(namedInProse) ?? [])
      : isDeed || typeof leaf === "string"
        ? [text]
        : [];
    for (const each of names) target = ((target ?? 0) + mix(hashWord(name) ^ hashName(each))) | 0;
  });
  const exact = senses.digest.of(`${tool} ${call.key ?? told}`).slice(0, PRINT);
  const print = {
    exact,
    loose: isWhole ? hashText(loose) : exact,
    target: target === undefined ? undefined : hashText(target),
    words: sketchOf(words),
  };
  return { kind, print };
}

/** Fingerprints an outcome. The echo of the call's own words is no news. */
export function perceiveOutcome(result: RawResult, call: CallPrint | undefined, senses: PerceiveOptions): OutcomePrint {
  return { ...printOutcome(result, call, senses.digest), excerpt: quote(result, senses.redact) };
}

/** The same without the excerpt, which nearly nobody reads. */
export function printOutcome(
  { status, content }: RawResult,
  call: CallPrint | undefined,
  digest: Digest,
): OutcomePrint {
  const text = contentText(content);
  const echo = call === undefined || text.length > SHORT ? undefined : wordSet(call.words);
  const seen = scan(text, echo);
  if (echo !== undefined) giveBack(echo);
  const isFailure = isFailed(status, text);
  return {
    status,
    exact: digest.of(text).slice(0, PRINT),
    masked: isFailure ? seen.shape : seen.masked,
    shape: seen.shape,
    last: seen.last,
    size: text.length,
    substance: seen.words.length,
    words: isFailure ? "" : seen.words,
    failure: isFailure ? failureWords(text) : undefined,
    complaint: isFailure ? complaintOf(text) : undefined,
    isNothing: (!isFailure && saysNothing(text)) || undefined,
  };
}

/** The words of a message that makes no call. */
export function perceiveText(text: string): Sketch {
  const words = wordSet();
  collectWords(text, words);
  return sketchOf(words);
}

/** Arguments of which only the beginning counts. */
function cut(args: unknown, chars: number | undefined): unknown {
  if (chars === undefined || typeof args !== "object" || args === null) return args;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      (typeof value === "string" ? value : canonical(value)).slice(0, chars),
    ]),
  );
}

/** Free text rather than a name, a path, a number: long, of more than three words, or called so. */
function isProse(name: string, text: string): boolean {
  if (text.length > PROSE || (freeText.has(name.toLowerCase()) && !/^[\w.#@-]{0,32}\d[\w.#@-]{0,32}$/.test(text)))
    return true; // "msg-3" is an id, whatever it is called
  let gaps = 0;
  for (let i = 1; i < text.length; i++) if (text.charCodeAt(i) > 32 && text.charCodeAt(i - 1) <= 32) gaps++;
  return gaps > 2;
}

const freeText = new Set(
  "q query queries question search keyword keywords prompt text message body content description summary thought reason comment note".split(
    " ",
  ),
);

/** What a command or a query is about: paths, files, addresses, tables. */
const namedInProse = /[\w.-]*\/[\w./:-]+|\b[\w-]+\.[a-z]\w{0,4}\b|\b(?:from|join|into|table)\s+[\w.]+/gi;

/** The hash of a name, whatever its spelling: case, `./`, a trailing slash, spaces around it. */
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
  const read = fields(part);
  return read["type"] === "text" && typeof read["text"] === "string";
}

/** The line of a result worth quoting, without its secrets: where it failed the one that complains, otherwise the first. */
export function quote({ status, content }: RawResult, redact: PerceiveOptions["redact"]): string | undefined {
  const text = contentText(content);
  const head = text.slice(0, 4_096);
  const line = (isFailed(status, text) ? complainingLine(head) : undefined) ?? /\S.*/.exec(head)?.[0] ?? "";
  const told = redact(line.trim().slice(0, 2 * EXCERPT));
  return (told.length > EXCERPT ? `${told.slice(0, EXCERPT - 1)}…` : told) || undefined;
}
