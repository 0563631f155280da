import { type RecordedCall, sha256 } from "@sheepdog/records";
import { commandOf, isWholeCommand, textField } from "../sentences/call-text.ts";
import { callRanges } from "./call-ranges.ts";
import type { EvidenceCall } from "./look-back-run.ts";
import type { PlacedCall } from "./placed-calls.ts";

/** The first calls of an episode and the last ones are shown. */
const SHOWN_FIRST = 3;
const SHOWN_LAST = 3;
const MAX_ARGS_CHARS = 600;
const MAX_RESULT_CHARS = 1_000;
/** What is kept of the text before the first difference. */
const CONTEXT_CHARS = 80;

/** Some calls of an episode, side by side: long texts are clipped where they differ, not all at the same column. */
export function evidenceOf(calls: readonly PlacedCall[]): readonly EvidenceCall[] {
  const shown =
    calls.length <= SHOWN_FIRST + SHOWN_LAST ? calls : [...calls.slice(0, SHOWN_FIRST), ...calls.slice(-SHOWN_LAST)];
  const args = clippedAlike(argumentsTexts(shown), { maxChars: MAX_ARGS_CHARS, end: "head" });
  const results = clippedAlike(
    shown.map(({ call }) => valueText(call.result)),
    { maxChars: MAX_RESULT_CHARS, end: shown.some(({ call }) => call.isError === true) ? "tail" : "head" },
  );
  const hidden = calls.length > shown.length ? calls.slice(SHOWN_FIRST, -SHOWN_LAST) : [];
  const lastOfTool = new Map(shown.slice(0, SHOWN_FIRST).map((each) => [each.call.name, each]));
  return shown.map(({ index, step, call }, place) => ({
    call: index,
    turn: step.turn,
    at: call.at ?? step.at ?? null,
    name: call.name,
    args: args[place] ?? "",
    result: results[place] ?? "",
    isError: call.isError === true,
    position: call.position ?? step.position ?? null,
    ...(lastOfTool.get(call.name)?.index === index ? hiddenCalls(call, hidden) : {}),
  }));
}

/** What is known of calls of the same tool without evidence of their own. */
function hiddenCalls(
  call: RecordedCall,
  hidden: readonly PlacedCall[],
): Pick<EvidenceCall, "sameCalls" | "otherCalls"> {
  const ofTool = hidden.filter((each) => each.call.name === call.name);
  const key = callKey(call);
  const same = ofTool.filter((each) => callKey(each.call) === key);
  const others = ofTool.length - same.length;
  return {
    ...(same.length === 0 ? {} : { sameCalls: callRanges(same.map(({ index }) => index)) }),
    ...(others === 0 ? {} : { otherCalls: others }),
  };
}

function callKey({ args, result }: RecordedCall): string {
  return JSON.stringify([valueText(args), valueText(result)]);
}

/**
 * The arguments of each call: the command alone where it is all that the calls do. What else differs between calls of a
 * tool comes after it.
 */
function argumentsTexts(shown: readonly PlacedCall[]): readonly string[] {
  const parts = shown.map(({ call: { name, args } }) => ({ name, ...argumentParts(name, args) }));
  const others = new Map<string, Set<string>>();
  for (const { name, other } of parts) others.set(name, (others.get(name) ?? new Set()).add(other));
  return parts.map(({ name, command, other }) => {
    if (command === undefined) return other;
    return others.get(name)?.size === 1 ? command : `${command} ${other}`.trim();
  });
}

/** The command of a shell, and the arguments besides it. */
function argumentParts(tool: string, args: unknown): { readonly command?: string; readonly other: string } {
  const command = isWholeCommand({ tool, input: args }) ? commandOf(args) : undefined;
  if (command === undefined) return { other: valueText(args) };
  const fields = Object.entries(args as object); // it has a field with the command
  const name = fields.find(([, value]) => textField({ value }, ["value"]) === command)?.[0];
  const others = fields.filter(([field]) => field !== name);
  return { command, other: others.length === 0 ? "" : JSON.stringify(Object.fromEntries(others)) };
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface Clip {
  readonly maxChars: number;
  /** Which end is kept of long texts that are all equal. */
  readonly end: "head" | "tail";
}

/** Clips long texts to the part in which they differ. Texts that differ elsewhere are told apart by their digest. */
export function clippedAlike(texts: readonly string[], clip: Clip): readonly string[] {
  const clipped = clippedParts(texts, clip);
  if (new Set(clipped).size === new Set(texts).size) return clipped;
  return clipped.map((part, index) => {
    const text = texts[index] ?? "";
    return part === text ? part : `${part} (${text.length} characters, digest ${sha256.of(text).slice(0, 8)})`;
  });
}

function clippedParts(texts: readonly string[], { maxChars, end }: Clip): readonly string[] {
  const prefix = commonPrefix(texts);
  const isEqual = texts.every(({ length }) => length === prefix);
  return texts.map((text) => {
    if (text.length <= maxChars) return text;
    if (isEqual && end === "tail") return `…${text.slice(-maxChars)}`;
    const start = isEqual || prefix < maxChars / 2 ? 0 : prefix - CONTEXT_CHARS;
    const part = text.slice(start, start + maxChars);
    return `${start > 0 ? "…" : ""}${part}${start + maxChars < text.length ? "…" : ""}`;
  });
}

/** The number of characters with which all texts begin. */
function commonPrefix([first = "", ...others]: readonly string[]): number {
  let length = first.length;
  for (const other of others) {
    length = Math.min(length, other.length);
    let equal = 0;
    while (equal < length && other.charCodeAt(equal) === first.charCodeAt(equal)) equal++;
    length = equal;
  }
  return length;
}
