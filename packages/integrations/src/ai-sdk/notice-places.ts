import { missingNotices, type Notice } from "../guard/notice.ts";

/** A notice, and the call after whose result it stands in the conversation. */
export interface PlacedNotice {
  readonly notice: Notice;
  readonly afterCall: string;
}

/** Older notices are not said again. */
const MAX_PLACED = 20;

/**
 * The places of the guardian's notices in a conversation. The AI SDK forgets messages that were added (versions before
 * 7 after one step, all versions with the next prompt), so each request gets those that it lacks, always at the same
 * place: the model keeps what it was told, and the provider's prompt cache keeps its prefix.
 */
export class NoticePlaces {
  #placed: readonly PlacedNotice[];

  constructor(placed: readonly PlacedNotice[]) {
    this.#placed = placed;
  }

  get placed(): readonly PlacedNotice[] {
    return this.#placed;
  }

  /**
   * The messages with all notices; undefined if none was missing. Fresh ones come last. They stay after the result
   * that they followed, as long as the conversation has it; without a result before them they are said once.
   */
  addTo<Message>(messages: readonly Message[], fresh: readonly Notice[]): Message[] | undefined {
    if (fresh.length === 0 && this.#placed.length === 0) return undefined;
    const afterCall = callsOf(messages.at(-1)).at(-1);
    if (afterCall !== undefined && fresh.length > 0)
      this.#placed = [...this.#placed, ...fresh.map((notice) => ({ notice, afterCall }))].slice(-MAX_PLACED);
    const saidTexts = messages.flatMap(userTexts);
    const added: Message[] = [];
    const add = (notices: readonly Notice[]) => {
      const text = missingNotices(notices, saidTexts);
      if (text !== undefined) added.push(userMessage(text));
    };
    let calls: readonly string[] = [];
    for (const [index, message] of messages.entries()) {
      added.push(message);
      calls = [...calls, ...callsOf(message)];
      if (isRole(messages[index + 1], "tool")) continue; // a provider refuses a message between two results
      if (calls.length > 0) add(this.#noticesAfter(calls));
      calls = [];
    }
    if (afterCall === undefined) add(fresh);
    return added.length === messages.length ? undefined : added;
  }

  #noticesAfter(calls: readonly string[]): readonly Notice[] {
    return this.#placed.filter(({ afterCall }) => calls.includes(afterCall)).map(({ notice }) => notice);
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
