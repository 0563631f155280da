import { keepShape } from "../async/keep-shape.ts";
import type { CallPart, ReplyPart } from "../protocol/messages.ts";
import { parseInput } from "./call-input.ts";
import { deltaOf, field, idOf, isRecord, metadataOf, textField, textOr, typeOf } from "./field-access.ts";
import { wellFormed } from "./well-formed.ts";

/** Whether a stream is read on. */
export type Heed = "go-on" | { readonly interrupt: number };

/** Told what the parts of a stream bring. */
export interface DraftListener {
  said(type: "text" | "thinking", text: string): Heed;
  called(callId: string, tool: string): void;
  /** More of the arguments of a call. */
  wrote(callId: string, text: string): Heed;
}

/** A reply while it streams in. */
export interface Draft {
  /** Takes up a part; parts that are unknown, broken or of tools that the provider runs itself bring nothing. */
  take(part: unknown, listener: DraftListener): Heed;
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
  newId(): string;
}

/** Starts an empty reply. */
export function draftReply(options: DraftOptions): Draft {
  return new StreamedReply(options);
}

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

  take(part: unknown, listener: DraftListener): Heed {
    switch (typeOf(part)) {
      case "text-start":
        return this.startSaying("text", part, listener);
      case "text-delta":
        return this.say("text", part, listener);
      case "text-end":
        return this.endSaying("text", part);
      case "reasoning-start":
        return this.startSaying("thinking", part, listener);
      case "reasoning-delta":
        return this.say("thinking", part, listener);
      case "reasoning-end":
        return this.endSaying("thinking", part);
      case "tool-input-start":
        if (!isTheirs(part)) this.startCall(textOr(idOf(part)), part, listener);
        return "go-on";
      case "tool-input-delta": {
        const called = this.calledBy(textOr(idOf(part)));
        return called === undefined || called.isWhole
          ? "go-on"
          : this.addInput(called, textOr(deltaOf(part)), listener);
      }
      case "tool-call":
        return isTheirs(part) ? "go-on" : this.endCall(textField(part, "toolCallId"), part, listener);
      default:
        return "go-on";
    }
  }

  size(): number {
    return this.characters;
  }

  isEmpty(): boolean {
    for (const part of this.all) if (isKept(part)) return false;
    return true;
  }

  hasCalls(): boolean {
    for (const part of this.all) if (part.type === "call") return true;
    return false;
  }

  texts(): readonly string[] {
    return this.all.map((part) => part.text);
  }

  cutEnd(characters: number): void {
    const { current } = this;
    if (current === undefined || current.type === "call" || !(characters > 0)) return;
    current.text = current.text
      .slice(0, Math.max(0, current.text.length - Math.floor(characters)))
      .replace(/[\uD800-\uDBFF]$/, "");
    current.metadata = undefined; // a signature is for the whole
  }

  parts(whyNot?: string): readonly ReplyPart[] {
    const parts: ReplyPart[] = [];
    for (const part of this.all)
      if (isKept(part)) parts.push(part.type === "call" ? finishedCall(part, whyNot) : finishedSaying(part));
    return parts.slice(); // without the room to spare of a list that has grown: it is kept
  }

  private startSaying(type: Said["type"], part: unknown, listener: DraftListener): Heed {
    const before = this.openBlock(type, textOr(idOf(part)));
    if (before !== undefined) before.isOpen = false; // providers use an id again for the next block
    return this.say(type, part, listener);
  }

  private say(type: Said["type"], part: unknown, listener: DraftListener): Heed {
    const id = textOr(idOf(part));
    const delta = textOr(deltaOf(part));
    let said = this.openBlock(type, id);
    if (said === undefined) {
      said = { type, id, text: "", metadata: undefined, isOpen: true };
      this.all.push(said);
    }
    this.current = said;
    said.text += delta;
    said.metadata = joined(said.metadata, part);
    this.characters += delta.length;
    return delta === "" ? "go-on" : listener.said(type, delta);
  }

  private endSaying(type: Said["type"], part: unknown): Heed {
    const said = this.openBlock(type, textOr(idOf(part)));
    if (said === undefined) return "go-on";
    said.metadata = joined(said.metadata, part);
    said.isOpen = false;
    return "go-on";
  }

  /** The block of that id that goes on; nearly always the newest part. */
  private openBlock(type: Said["type"], id: string): Said | undefined {
    for (let place = this.all.length - 1; place >= 0; place -= 1) {
      const part = this.all[place];
      if (part?.type === type && part.id === id && part.isOpen) return part;
    }
    return undefined;
  }

  private startCall(theirId: string, part: unknown, listener: DraftListener): Called {
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
    listener.called(called.id, called.tool);
    return called;
  }

  /** The newest call of that id. */
  private calledBy(theirId: string): Called | undefined {
    return this.all.findLast((part): part is Called => part.type === "call" && part.theirId === theirId);
  }

  private addInput(called: Called, text: string, listener: DraftListener): Heed {
    this.current = called;
    called.text += text;
    this.characters += text.length;
    return text === "" ? "go-on" : listener.wrote(called.id, text);
  }

  private endCall(theirId: string, part: unknown, listener: DraftListener): Heed {
    const input = field(part, "input");
    const whole = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
    const tool = textField(part, "toolName");
    const match = this.begun(theirId, tool);
    const called = match ?? this.startCall(theirId, part, listener);
    const heed = match === undefined ? this.addInput(called, whole, listener) : "go-on";
    if (tool !== "") called.tool = tool;
    called.text = whole;
    called.isWhole = true;
    called.metadata = joined(called.metadata, part);
    return heed;
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
    if (plainId.test(theirs) && !this.isTaken(theirs)) return theirs;
    let id = this.options.newId();
    for (let count = 2; this.isTaken(id); count += 1) id = `${this.options.newId()}_${count}`;
    return id;
  }

  private isTaken(id: string): boolean {
    if (this.options.usedIds.has(id)) return true;
    for (const part of this.all) if (part.type === "call" && part.id === id) return true;
    return false;
  }
}

const plainId = /^[\w-]{1,64}$/;

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
  const call: CallPart =
    input === undefined ? { type: "call", id, tool, input, problem: read.problem } : { type: "call", id, tool, input };
  return metadata === undefined ? call : { ...call, providerMetadata: metadata };
}

/** What the parts of one block attach to it, by provider: a signature comes with the last of them. */
function joined(
  known: Readonly<Record<string, unknown>> | undefined,
  part: unknown,
): Readonly<Record<string, unknown>> | undefined {
  const added = metadataOf(part);
  if (added === undefined || !isRecord(added) || Object.keys(added).length === 0) return known;
  return Object.fromEntries([
    ...Object.entries(known ?? {}),
    ...Object.entries(added).map(([name, value]) => [name, merged(known?.[name], value)] as const),
  ]);
}

function merged(known: unknown, added: unknown): unknown {
  return isRecord(known) && isRecord(added)
    ? Object.fromEntries([...Object.entries(known), ...Object.entries(added)])
    : added;
}

keepShape(new StreamedReply({ usedIds: new Set(), newId: () => "" }));
