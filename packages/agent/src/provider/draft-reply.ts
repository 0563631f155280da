import { keepShape } from "../keep-shape.ts";
import type { CallPart, ReplyPart } from "../messages.ts";
import { field, isRecord, textField, typeOf } from "./field.ts";
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
  take(part: unknown, type?: unknown): readonly Heard[];
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
  readonly id: string;
  text: string;
  metadata: Readonly<Record<string, unknown>> | undefined;
  /** More of it may come. */
  isOpen: boolean;
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
export function draftReply(options: DraftOptions): Draft {
  return new StreamedReply(options);
}

const nothing: readonly Heard[] = [];

/** A class, since its methods run for every delta of every reply: functions made for each reply would be compiled again and again. */
class StreamedReply implements Draft {
  private readonly options: DraftOptions;
  private readonly all: (Said | Called)[] = [];
  /** What was added to last. */
  private current: Said | Called | undefined = undefined;
  private characters = 0;

  constructor(options: DraftOptions) {
    this.options = options;
  }

  take(part: unknown, type: unknown = typeOf(part)): readonly Heard[] {
    switch (type) {
      case "text-start":
        return this.startSaying("text", part);
      case "text-delta":
        return this.say("text", part);
      case "text-end":
        return this.endSaying("text", part);
      case "reasoning-start":
        return this.startSaying("thinking", part);
      case "reasoning-delta":
        return this.say("thinking", part);
      case "reasoning-end":
        return this.endSaying("thinking", part);
      case "tool-input-start": {
        if (isTheirs(part)) return nothing;
        const called = this.startCall(textField(part, "id"), part);
        return [{ type: "call", callId: called.id, tool: called.tool }];
      }
      case "tool-input-delta": {
        const called = this.calledBy(textField(part, "id"));
        return called === undefined || called.isWhole ? nothing : this.addInput(called, textField(part, "delta"));
      }
      case "tool-call":
        return isTheirs(part) ? nothing : this.endCall(textField(part, "toolCallId"), part);
      default:
        return nothing;
    }
  }

  size(): number {
    return this.characters;
  }

  isEmpty(): boolean {
    return !this.all.some(isKept);
  }

  hasCalls(): boolean {
    return this.all.some((part) => part.type === "call");
  }

  texts(): readonly string[] {
    return this.all.map((part) => part.text);
  }

  cutEnd(characters: number): void {
    const { current } = this;
    if (current === undefined || current.type === "call" || !(characters > 0)) return;
    current.text = current.text.slice(0, Math.max(0, current.text.length - Math.floor(characters))).replace(/[\uD800-\uDBFF]$/, "");
    current.metadata = undefined; // a signature is for the whole
  }

  parts(whyNot?: string): readonly ReplyPart[] {
    const parts: ReplyPart[] = [];
    for (const part of this.all) if (isKept(part)) parts.push(part.type === "call" ? finishedCall(part, whyNot) : finishedSaying(part));
    return parts;
  }

  private startSaying(type: Said["type"], part: unknown): readonly Heard[] {
    const before = this.openBlock(type, textField(part, "id"));
    if (before !== undefined) before.isOpen = false; // providers use an id again for the next block
    return this.say(type, part);
  }

  private say(type: Said["type"], part: unknown): readonly Heard[] {
    const id = textField(part, "id");
    const delta = textField(part, "delta");
    let said = this.openBlock(type, id);
    if (said === undefined) {
      said = { type, id, text: "", metadata: undefined, isOpen: true };
      this.all.push(said);
    }
    this.current = said;
    said.text += delta;
    said.metadata = joined(said.metadata, part);
    this.characters += delta.length;
    return delta === "" ? nothing : [{ type, text: delta }];
  }

  private endSaying(type: Said["type"], part: unknown): readonly Heard[] {
    const said = this.openBlock(type, textField(part, "id"));
    if (said === undefined) return nothing;
    said.metadata = joined(said.metadata, part);
    said.isOpen = false;
    return nothing;
  }

  /** The block of that id that goes on; nearly always the newest part. */
  private openBlock(type: Said["type"], id: string): Said | undefined {
    for (let place = this.all.length - 1; place >= 0; place -= 1) {
      const part = this.all[place];
      if (part?.type === type && part.id === id && part.isOpen) return part;
    }
    return undefined;
  }

  private startCall(theirId: string, part: unknown): Called {
    const called: Called = {
      type: "call",
      id: this.idFor(theirId),
      theirId,
      tool: textField(part, "toolName"),
      text: "",
      isWhole: false,
      metadata: joined(undefined, part),
    };
    this.all.push(called);
    return called;
  }

  /** The newest call of that id. */
  private calledBy(theirId: string): Called | undefined {
    return this.all.findLast((part): part is Called => part.type === "call" && part.theirId === theirId);
  }

  private addInput(called: Called, text: string): readonly Heard[] {
    this.current = called;
    called.text += text;
    this.characters += text.length;
    return text === "" ? nothing : [{ type: "input", callId: called.id, text }];
  }

  private endCall(theirId: string, part: unknown): readonly Heard[] {
    const input = field(part, "input");
    const whole = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
    const tool = textField(part, "toolName");
    const match = this.begun(theirId, tool);
    const called = match ?? this.startCall(theirId, part);
    const heard: readonly Heard[] = match === undefined ? [{ type: "call", callId: called.id, tool: called.tool }, ...this.addInput(called, whole)] : nothing;
    if (tool !== "") called.tool = tool;
    called.text = whole;
    called.isWhole = true;
    called.metadata = joined(called.metadata, part);
    return heard;
  }

  /** The first call of that id which is not whole yet: one of the same tool, else any. */
  private begun(theirId: string, tool: string): Called | undefined {
    let first: Called | undefined;
    for (const part of this.all) {
      if (part.type !== "call" || part.isWhole || part.theirId !== theirId) continue;
      if (part.tool === tool) return part;
      first ??= part;
    }
    return first;
  }

  /** Providers' ids may be missing, used before, or such as another provider would refuse. */
  private idFor(theirs: string): string {
    let id = theirs;
    if (!/^[\w-]{1,64}$/.test(theirs) || this.isTaken(theirs)) id = this.options.newId();
    for (let count = 2; this.isTaken(id); count += 1) id = `${this.options.newId()}_${count}`;
    return id;
  }

  private isTaken(id: string): boolean {
    return this.options.usedIds.has(id) || this.all.some((part) => part.type === "call" && part.id === id);
  }
}

function isTheirs(part: unknown): boolean {
  return field(part, "providerExecuted") === true;
}

function isKept(part: Said | Called): boolean {
  return part.type === "call" || part.text !== "" || (part.type === "thinking" && part.metadata !== undefined);
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
  const { id, metadata } = called;
  const tool = wellFormed(called.tool);
  const { input } = read;
  const call: CallPart = input === undefined ? { type: "call", id, tool, input, problem: read.problem } : { type: "call", id, tool, input };
  return metadata === undefined ? call : { ...call, providerMetadata: metadata };
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

keepShape(new StreamedReply({ usedIds: new Set(), newId: () => "" }));
