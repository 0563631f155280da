import type { LoopGuard } from "../guard/loop-guard.ts";
import { missingNotices, type Notice } from "../guard/notice.ts";
import { type PlacedNotice, placeNotices } from "../guard/placed-notice.ts";

/**
 * The places of the guardian's notices in a conversation. The AI SDK forgets messages that were added (versions before
 * 7 after one step, all versions with the next prompt), so each request gets those that it lacks, always after the
 * same result: the model keeps what it read, and the provider's prompt cache keeps its prefix.
 */
export class NoticePlaces {
  readonly #guard: LoopGuard;
  #placed: readonly PlacedNotice[];

  constructor(guard: LoopGuard, placed: readonly PlacedNotice[]) {
    this.#guard = guard;
    this.#placed = placed;
  }

  get placed(): readonly PlacedNotice[] {
    return this.#placed;
  }

  /**
   * Ends the turn. Returns the messages with all notices; undefined if none is missing. New ones come last. They stay
   * after the result that they follow, as long as the conversation has it; without one they are said once.
   */
  addTo<Message>(messages: readonly Message[]): Message[] | undefined {
    const newest = callsOf(messages.at(-1)).at(-1);
    const saidOnce = newest === undefined ? this.#guard.beforeRequest() : [];
    this.#guard.confirm(saidOnce);
    this.#placed = placeNotices(this.#guard, this.#placed, newest);
    if (saidOnce.length === 0 && this.#placed.length === 0) return undefined;

    const texts = messages.flatMap(userTexts);
    const added: Message[] = [];
    const add = (notices: readonly Notice[]) => {
      const text = missingNotices(notices, texts);
      if (text !== undefined) added.push(userMessage(text));
    };
    let calls: readonly string[] = [];
    for (const [index, message] of messages.entries()) {
      added.push(message);
      calls = [...calls, ...callsOf(message)];
      if (isRole(messages[index + 1], "tool")) continue; // a provider refuses a message between two results
      if (calls.length > 0) add(this.#placed.filter(({ after }) => calls.includes(after)));
      calls = [];
    }
    add(saidOnce);
    return added.length === messages.length ? undefined : added;
  }
}

/** The ids of the calls whose results a message has. */
function callsOf(message: unknown): readonly string[] {
  if (!isRole(message, "tool")) return [];
  return partsOf(message).flatMap(({ type, toolCallId }) =>
    type === "tool-result" && typeof toolCallId === "string" ? [toolCallId] : [],
  );
}

function userTexts(message: unknown): readonly string[] {
  if (!isRole(message, "user")) return [];
  const { content } = message as { readonly content?: unknown }; // checked below
  if (typeof content === "string") return [content];
  return partsOf(message).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

function isRole(message: unknown, role: string): boolean {
  return typeof message === "object" && message !== null && "role" in message && message.role === role;
}

function partsOf(message: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { content } = message as { readonly content?: unknown }; // checked in the next line
  return Array.isArray(content) ? content.filter((part) => typeof part === "object" && part !== null) : [];
}

/** A user message as prompts of programs and prompts of providers have it, in all versions. */
function userMessage<Message>(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] } as Message;
}
