import type { CallPart, ReplyPart } from "../messages.ts";
import { field, isRecord, textField } from "./field.ts";
import { parseInput } from "./parse-input.ts";
import { wellFormed } from "./well-formed.ts";

/** What a part of a stream brought, for those who listen. */
export type Heard =
  | { readonly type: "text" | "thinking"; readonly text: string }
  | { readonly type: "call"; readonly callId: string; readonly tool: string }
  | { readonly type: "input"; readonly callId: string; readonly text: string };

/** A reply while it streams in. */
export interface Draft {
  /** Takes up a part; parts that are unknown, broken or of tools that the provider runs itself bring nothing. */
  take(part: unknown): readonly Heard[];
  /** How many characters there are so far. */
  size(): number;
  isEmpty(): boolean;
  hasCalls(): boolean;
  texts(): readonly string[];
  /** Takes characters off the end of what was said last; the arguments of a call stay as they are. */
  cutEnd(characters: number): void;
  /** The parts so far. Where the reply was cut off, `whyNot` says why none of its calls may be run. */
  parts(whyNot?: string): readonly ReplyPart[];
}

interface Said {
  readonly type: "text" | "thinking";
  text: string;
  metadata: Readonly<Record<string, unknown>> | undefined;
}

interface Called {
  readonly type: "call";
  readonly id: string;
  readonly theirId: string;
  tool: string;
  text: string;
  isWhole: boolean;
  metadata: Readonly<Record<string, unknown>> | undefined;
}

export interface DraftOptions {
  /** Ids of earlier calls in the session. */
  readonly usedIds: ReadonlySet<string>;
  readonly newId: () => string;
}

/** Starts an empty reply. */
export function draftReply({ usedIds, newId }: DraftOptions): Draft {
  const parts: (Said | Called)[] = [];
  const open = new Map<string, Said>();
  const calls = new Map<string, Called>();
  const ours = new Set<string>();
  let current: Said | Called | undefined;
  let size = 0;

  /** Providers' ids may be missing, used before, or such as another provider would refuse. */
  const idFor = (theirs: string): string => {
    const isTaken = (id: string) => ours.has(id) || usedIds.has(id);
    let id = theirs;
    if (!/^[\w-]{1,64}$/.test(theirs) || isTaken(theirs)) id = newId();
    for (let count = 2; isTaken(id); count += 1) id = `${newId()}_${count}`;
    ours.add(id);
    return id;
  };

  const say = (type: Said["type"], part: unknown): readonly Heard[] => {
    const key = `${type} ${textField(part, "id")}`;
    const delta = textField(part, "delta");
    let said = open.get(key);
    if (said === undefined) {
      said = { type, text: "", metadata: undefined };
      open.set(key, said);
      parts.push(said);
    }
    current = said;
    said.text += delta;
    said.metadata = joined(said.metadata, part);
    size += delta.length;
    return delta === "" ? [] : [{ type, text: delta }];
  };

  const startSaying = (type: Said["type"], part: unknown): readonly Heard[] => {
    open.delete(`${type} ${textField(part, "id")}`); // providers use an id again for the next block
    return say(type, part);
  };

  const endSaying = (type: Said["type"], part: unknown): readonly Heard[] => {
    const key = `${type} ${textField(part, "id")}`;
    const said = open.get(key);
    if (said !== undefined) said.metadata = joined(said.metadata, part);
    open.delete(key);
    return [];
  };

  const startCall = (theirId: string, part: unknown): Called => {
    const called: Called = {
      type: "call",
      id: idFor(theirId),
      theirId,
      tool: textField(part, "toolName"),
      text: "",
      isWhole: false,
      metadata: joined(undefined, part),
    };
    parts.push(called);
    calls.set(theirId, called);
    return called;
  };

  const addInput = (called: Called, text: string): readonly Heard[] => {
    current = called;
    called.text += text;
    size += text.length;
    return text === "" ? [] : [{ type: "input", callId: called.id, text }];
  };

  const endCall = (theirId: string, part: unknown): readonly Heard[] => {
    const input = field(part, "input");
    const whole = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
    const tool = textField(part, "toolName");
    const begun = parts.filter((one): one is Called => one.type === "call" && !one.isWhole && one.theirId === theirId);
    const match = begun.find((one) => one.tool === tool) ?? begun[0];
    const called = match ?? startCall(theirId, part);
    const heard: Heard[] = match === undefined ? [{ type: "call", callId: called.id, tool: called.tool }, ...addInput(called, whole)] : [];
    if (tool !== "") called.tool = tool;
    called.text = whole;
    called.isWhole = true;
    called.metadata = joined(called.metadata, part);
    return heard;
  };

  const take = (part: unknown): readonly Heard[] => {
    const isTheirs = field(part, "providerExecuted") === true;
    switch (field(part, "type")) {
      case "text-start":
        return startSaying("text", part);
      case "text-delta":
        return say("text", part);
      case "text-end":
        return endSaying("text", part);
      case "reasoning-start":
        return startSaying("thinking", part);
      case "reasoning-delta":
        return say("thinking", part);
      case "reasoning-end":
        return endSaying("thinking", part);
      case "tool-input-start": {
        if (isTheirs) return [];
        const called = startCall(textField(part, "id"), part);
        return [{ type: "call", callId: called.id, tool: called.tool }];
      }
      case "tool-input-delta": {
        const called = calls.get(textField(part, "id"));
        return called === undefined || called.isWhole ? [] : addInput(called, textField(part, "delta"));
      }
      case "tool-call":
        return isTheirs ? [] : endCall(textField(part, "toolCallId"), part);
      default:
        return [];
    }
  };

  const kept = () => parts.filter((part) => part.type === "call" || part.text !== "" || (part.type === "thinking" && part.metadata !== undefined));
  return {
    take,
    size: () => size,
    isEmpty: () => kept().length === 0,
    hasCalls: () => parts.some((part) => part.type === "call"),
    texts: () => parts.map((part) => part.text),
    cutEnd(characters) {
      if (current === undefined || current.type === "call" || !(characters > 0)) return;
      current.text = current.text.slice(0, Math.max(0, current.text.length - Math.floor(characters))).replace(/[\uD800-\uDBFF]$/, "");
      current.metadata = undefined; // a signature is for the whole
    },
    parts: (whyNot) => kept().map((part) => (part.type === "call" ? finishedCall(part, whyNot) : finishedSaying(part))),
  };
}

function finishedSaying({ type, text, metadata }: Said): ReplyPart {
  if (type === "text") return { type, text: wellFormed(text) };
  return metadata === undefined ? { type, text: wellFormed(text) } : { type, text, providerMetadata: metadata };
}

function finishedCall(called: Called, whyNot: string | undefined): CallPart {
  const read =
    whyNot === undefined && called.isWhole
      ? parseInput(called.text)
      : { input: undefined, problem: whyNot ?? "The call broke off before its arguments were complete" };
  return {
    type: "call",
    id: called.id,
    tool: wellFormed(called.tool),
    ...read,
    ...(called.metadata === undefined ? {} : { providerMetadata: called.metadata }),
  };
}

/** What the parts of one block attach to it, by provider: a signature comes with the last of them. */
function joined(known: Readonly<Record<string, unknown>> | undefined, part: unknown): Readonly<Record<string, unknown>> | undefined {
  const added = field(part, "providerMetadata");
  if (!isRecord(added) || Object.keys(added).length === 0) return known;
  return Object.fromEntries([...Object.entries(known ?? {}), ...Object.entries(added).map(([name, value]) => [name, merged(known?.[name], value)] as const)]);
}

function merged(known: unknown, added: unknown): unknown {
  return isRecord(known) && isRecord(added) ? Object.fromEntries([...Object.entries(known), ...Object.entries(added)]) : added;
}
