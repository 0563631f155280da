import { isRecord } from "../protocol/json.ts";
import type { CallPart, ReplyPart } from "../protocol/messages.ts";
import { parseCallInput } from "./call-input.ts";
import { type EarlyUsage, readEarlyUsage } from "./early-usage.ts";
import { getField, getText } from "./field-access.ts";

/** Whether to read on. `interrupt` is the number of characters to remove from the end of the reply. */
export type DeltaDecision = "continue" | { readonly interrupt: number };

/** Receives what is added to a draft. */
export interface DraftObserver {
  onText(type: "text" | "thinking", text: string): DeltaDecision;
  onCall(callId: string, tool: string): void;
  onCallInput(callId: string, text: string): DeltaDecision;
}

export interface DraftOptions {
  /** Ids of earlier calls in the session. */
  readonly usedIds: ReadonlySet<string>;
  newId(): string;
  /** Whether an id of the provider contains a secret; default: none does. */
  hasSecret?(id: string): boolean;
}

type Metadata = Readonly<Record<string, unknown>>;

interface TextBlock {
  readonly type: "text" | "thinking";
  readonly id: string;
  text: string;
  metadata: Metadata | undefined;
  /** More text may follow. */
  isOpen: boolean;
}

interface CallBlock {
  readonly type: "call";
  readonly id: string;
  /** The id that the provider uses in the stream. */
  readonly providerId: string;
  tool: string;
  /** The arguments as JSON text. */
  text: string;
  isComplete: boolean;
  metadata: Metadata | undefined;
}

/** A reply while it streams in. */
export class ReplyDraft {
  /** Number of characters received. */
  characters = 0;
  /** The input tokens, if the provider has reported them already. */
  earlyUsage: EarlyUsage | undefined;
  private readonly options: DraftOptions;
  private readonly blocks: (TextBlock | CallBlock)[] = [];
  /** The block that received the newest delta. */
  private current: TextBlock | CallBlock | undefined;

  constructor(options: DraftOptions) {
    this.options = options;
  }

  /** Adds a part of the stream. Ignores unknown and broken parts, and calls that the provider executes itself. */
  add(part: unknown, observer: DraftObserver): DeltaDecision {
    switch (getField(part, "type")) {
      case "text-start":
        return this.startText("text", part, observer);
      case "text-delta":
        return this.addText("text", part, observer);
      case "text-end":
        return this.endText("text", part);
      case "reasoning-start":
        return this.startText("thinking", part, observer);
      case "reasoning-delta":
        return this.addText("thinking", part, observer);
      case "reasoning-end":
        return this.endText("thinking", part);
      case "tool-input-start":
        if (!isProviderExecuted(part)) this.startCall(getText(part, "id"), part, observer);
        return "continue";
      case "tool-input-delta": {
        const call = this.newestCall(getText(part, "id"));
        if (call === undefined || call.isComplete) return "continue";
        return this.addInput(call, getText(part, "delta"), observer);
      }
      case "raw":
        this.earlyUsage = readEarlyUsage(getField(part, "rawValue")) ?? this.earlyUsage;
        return "continue";
      case "tool-call":
        return isProviderExecuted(part) ? "continue" : this.completeCall(part, observer);
      default:
        return "continue";
    }
  }

  isEmpty(): boolean {
    return !this.blocks.some(hasContent);
  }

  hasCalls(): boolean {
    return this.blocks.some(({ type }) => type === "call");
  }

  /** All texts and arguments, to count their tokens. */
  texts(): readonly string[] {
    return this.blocks.map(({ text }) => text);
  }

  /** Removes characters from the end of the newest text. The arguments of a call are not shortened. */
  cutEnd(characters: number): void {
    const { current } = this;
    if (current === undefined || current.type === "call" || !(characters > 0)) return;
    const text = current.text.slice(0, Math.max(0, current.text.length - Math.floor(characters)));
    current.text = text.replace(/[\uD800-\uDBFF]$/, ""); // half a character
    current.metadata = undefined; // a signature covers the whole text
  }

  /** The parts so far. If `callProblem` is given, no call of the reply may run, for this reason. */
  parts(callProblem?: string): readonly ReplyPart[] {
    return this.blocks
      .filter(hasContent)
      .map((block) => (block.type === "call" ? toCallPart(block, callProblem) : toTextPart(block)));
  }

  private startText(type: TextBlock["type"], part: unknown, observer: DraftObserver): DeltaDecision {
    const previous = this.openBlock(type, getText(part, "id"));
    if (previous !== undefined) previous.isOpen = false; // providers reuse the id for the next block
    return this.addText(type, part, observer);
  }

  private addText(type: TextBlock["type"], part: unknown, observer: DraftObserver): DeltaDecision {
    const id = getText(part, "id");
    const delta = getText(part, "delta");
    let block = this.openBlock(type, id);
    if (block === undefined) {
      block = { type, id, text: "", metadata: undefined, isOpen: true };
      this.blocks.push(block);
    }
    this.current = block;
    block.text += delta;
    block.metadata = addMetadata(block.metadata, part);
    this.characters += delta.length;
    return delta === "" ? "continue" : observer.onText(type, delta);
  }

  private endText(type: TextBlock["type"], part: unknown): DeltaDecision {
    const block = this.openBlock(type, getText(part, "id"));
    if (block === undefined) return "continue";
    block.metadata = addMetadata(block.metadata, part);
    block.isOpen = false;
    return "continue";
  }

  private openBlock(type: TextBlock["type"], id: string): TextBlock | undefined {
    return this.blocks.findLast((block): block is TextBlock => block.type === type && block.id === id && block.isOpen);
  }

  private startCall(providerId: string, part: unknown, observer: DraftObserver): CallBlock {
    const call: CallBlock = {
      type: "call",
      id: this.uniqueId(providerId),
      providerId,
      tool: getText(part, "toolName"),
      text: "",
      isComplete: false,
      metadata: addMetadata(undefined, part),
    };
    this.blocks.push(call);
    observer.onCall(call.id, call.tool);
    return call;
  }

  private newestCall(providerId: string): CallBlock | undefined {
    return this.blocks.findLast(
      (block): block is CallBlock => block.type === "call" && block.providerId === providerId,
    );
  }

  private addInput(call: CallBlock, text: string, observer: DraftObserver): DeltaDecision {
    this.current = call;
    call.text += text;
    this.characters += text.length;
    return text === "" ? "continue" : observer.onCallInput(call.id, text);
  }

  private completeCall(part: unknown, observer: DraftObserver): DeltaDecision {
    const providerId = getText(part, "toolCallId");
    const tool = getText(part, "toolName");
    const input = getField(part, "input");
    const inputText = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
    const startedCall = this.startedCall(providerId, tool);
    const call = startedCall ?? this.startCall(providerId, part, observer);
    const decision = startedCall === undefined ? this.addInput(call, inputText, observer) : "continue";
    if (tool !== "") call.tool = tool;
    call.text = inputText;
    call.isComplete = true;
    call.metadata = addMetadata(call.metadata, part);
    return decision;
  }

  /** The first incomplete call with this id, preferably of the same tool. */
  private startedCall(providerId: string, tool: string): CallBlock | undefined {
    const calls = this.blocks.filter(
      (block): block is CallBlock => block.type === "call" && !block.isComplete && block.providerId === providerId,
    );
    return calls.find((call) => call.tool === tool) ?? calls[0];
  }

  /** A provider's id may be missing, used before, a secret, or in a form that another provider would refuse. */
  private uniqueId(providerId: string): string {
    const hasSecret = this.options.hasSecret?.(providerId) ?? false;
    if (acceptedId.test(providerId) && !hasSecret && !this.isUsed(providerId)) return providerId;
    let id = this.options.newId();
    for (let count = 2; this.isUsed(id); count += 1) id = `${this.options.newId()}_${count}`;
    return id;
  }

  private isUsed(id: string): boolean {
    return this.options.usedIds.has(id) || this.blocks.some((block) => block.type === "call" && block.id === id);
  }
}

const acceptedId = /^[\w-]{1,64}$/;

function isProviderExecuted(part: unknown): boolean {
  return getField(part, "providerExecuted") === true;
}

function hasContent(block: TextBlock | CallBlock): boolean {
  return block.type === "call" || block.text !== "" || (block.type === "thinking" && block.metadata !== undefined);
}

function toTextPart({ type, text, metadata }: TextBlock): ReplyPart {
  if (type === "text" || metadata === undefined) return { type, text: text.toWellFormed() };
  return { type, text, providerMetadata: metadata }; // unchanged: it may be signed
}

function toCallPart({ id, tool, text, isComplete, metadata }: CallBlock, callProblem: string | undefined): CallPart {
  const problem = callProblem ?? (isComplete ? undefined : "The call broke off before its arguments were complete");
  return {
    type: "call",
    id,
    tool: tool.toWellFormed(),
    ...(problem === undefined ? parseCallInput(text) : { input: undefined, problem }),
    ...(metadata === undefined ? {} : { providerMetadata: metadata }),
  };
}

/** Merges the metadata of a part into that of its block, by provider: a signature comes with the last part. */
function addMetadata(metadata: Metadata | undefined, part: unknown): Metadata | undefined {
  const added = getField(part, "providerMetadata");
  if (!isRecord(added) || Object.keys(added).length === 0) return metadata;
  return Object.fromEntries([
    ...Object.entries(metadata ?? {}),
    ...Object.entries(added).map(([provider, value]) => [provider, mergeValues(metadata?.[provider], value)] as const),
  ]);
}

/** Entries, not spread: a key named `__proto__` must stay an own key. */
function mergeValues(value: unknown, added: unknown): unknown {
  if (!isRecord(value) || !isRecord(added)) return added;
  return Object.fromEntries([...Object.entries(value), ...Object.entries(added)]);
}
