import { type Damage, type Endless, type Interruption, isDamage, isInterruption } from "./fault.ts";
import { type ReplyBlock, replyBlocks } from "./reply-blocks.ts";
import { type ReportedUsage, reportedUsage } from "./reported-usage.ts";
import type { ScriptedRequest, ScriptedStop, ScriptedTurn } from "./script.ts";

/** A step of the content of a reply, before it becomes a stream part or the events of a wire format. */
export type ContentStep =
  | { readonly type: "start"; readonly usage: ReportedUsage; readonly hasText: boolean }
  | { readonly type: "open"; readonly block: ReplyBlock }
  | { readonly type: "delta"; readonly block: ReplyBlock; readonly text: string; readonly damage?: Damage["type"] }
  | { readonly type: "close"; readonly block: ReplyBlock }
  | { readonly type: "finish"; readonly stop: ScriptedStop; readonly usage: ReportedUsage; readonly hasCalls: boolean };

/** A step of a reply; an interruption is the last one. */
export type ReplyStep = ContentStep | { readonly type: "interruption"; readonly fault: Interruption };

const defaultDeltaChars = 12;

/** The steps of a turn in order. Throws when the reply is too short for its fault to occur. */
export function replySteps(
  turn: ScriptedTurn,
  request: ScriptedRequest,
  deltaChars: number = defaultDeltaChars,
): Iterable<ReplyStep> {
  const size = turn.deltaChars ?? deltaChars;
  checkFaultOccurs(turn, size);
  const content = contentSteps(turn, request, size);
  const fault = turn.fault;
  if (fault === undefined) return content;
  if (isInterruption(fault)) return interrupted(content, fault);
  return isDamage(fault) ? damaged(content, fault) : content;
}

function* contentSteps(turn: ScriptedTurn, request: ScriptedRequest, size: number): Generator<ContentStep> {
  const usage = reportedUsage(turn, request);
  const endless = turn.fault?.type === "endless" ? turn.fault : undefined;
  const blocks = replyBlocks(turn, request);
  yield { type: "start", usage, hasText: blocks.some((block) => block.type === "text") };
  for (const block of blocks) {
    yield { type: "open", block };
    for (const text of slices(block.text, size)) yield { type: "delta", block, text };
    if (endless !== undefined && block.type === (endless.of ?? "text")) yield* forever(block, endless);
    yield { type: "close", block };
  }
  const hasCalls = (turn.calls ?? []).length > 0;
  yield { type: "finish", stop: turn.stop ?? (hasCalls ? "calls" : "end"), usage, hasCalls };
}

function* forever(block: ReplyBlock, endless: Endless): Generator<ContentStep> {
  while (true) yield { type: "delta", block, text: endless.text ?? "a" };
}

function* interrupted(steps: Iterable<ContentStep>, fault: Interruption): Generator<ReplyStep> {
  const interruption: ReplyStep = { type: "interruption", fault };
  let deltas = 0;
  if (fault.after === 0) return yield interruption;
  for (const step of steps) {
    if (step.type === "finish") return yield interruption;
    yield step;
    if (step.type === "delta") deltas += 1;
    if (deltas === fault.after) return yield interruption;
  }
}

function* damaged(steps: Iterable<ContentStep>, fault: Damage): Generator<ReplyStep> {
  let deltas = 0;
  for (const step of steps) {
    if (step.type !== "delta") yield step;
    else {
      yield deltas === (fault.at ?? 0) ? { ...step, damage: fault.type } : step;
      deltas += 1;
    }
  }
}

function checkFaultOccurs(turn: ScriptedTurn, size: number): void {
  const fault = turn.fault;
  if (fault === undefined) return;
  const needed = isInterruption(fault) ? (fault.after ?? 0) : isDamage(fault) ? (fault.at ?? 0) + 1 : 0;
  let deltas = 0;
  for (const block of replyBlocks(turn, { index: 0, text: "" })) deltas += [...slices(block.text, size)].length;
  if (deltas < needed)
    throw new Error(
      `The fault "${fault.type}" needs a reply of at least ${needed} deltas, and this turn has ${deltas}: ` +
        'give it more text, or fewer "deltaChars".',
    );
}

/** Slices of `size` characters; surrogate pairs stay together. */
function* slices(text: string, size: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + size, text.length);
    const isInsidePair = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const next = isInsidePair ? end + 1 : end;
    yield text.slice(start, next);
    start = next;
  }
}
