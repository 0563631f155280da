import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedPosition, RecordedRun } from "../../trajectory/recorded-run.ts";
import { contentBlocks, contentText, toolResult } from "../anthropic/content.ts";
import { createThread } from "../claude-code/thread.ts";
import { prefixDigests } from "../conversation-prefix.ts";
import { optional, textField, timeField } from "../fields.ts";
import type { Exchange } from "./exchange.ts";

/** A response with the place where it is recorded. */
interface KeptResponse {
  readonly response: JsonObject;
  readonly at: unknown;
  readonly position: RecordedPosition;
}

/**
 * A conversation. A log of requests repeats it at each turn: the longest form of it counts, with the responses of all,
 * whose usage is in no later request.
 */
export interface Conversation {
  /** Takes an exchange that continues this conversation; returns false for any other. */
  add(exchange: Exchange, position: RecordedPosition): boolean;
  run(fallbackId: string): RecordedRun | undefined;
}

/** Creates a conversation of one exchange. */
export function createConversation(first: Exchange, firstPosition: RecordedPosition): Conversation {
  let newest = first;
  let newestPosition = firstPosition;
  let prefix = first.prefixes().at(-1);
  const responses = new Map<number, KeptResponse>(); // by their places in the conversation

  function keepResponse({ messages, response, at }: Exchange, position: RecordedPosition): void {
    if (response !== undefined) responses.set(messages.length, { response, at, position });
  }
  keepResponse(first, firstPosition);

  return {
    add(exchange, position) {
      const { messages } = exchange;
      const { length } = newest.messages;
      if (messages.length <= length || exchange.prefixes()[length - 1] !== prefix) return false;
      if (!repeatsReply(messages[length], responses.get(length)?.response)) return false;
      newest = exchange;
      prefix = exchange.prefixes().at(-1);
      newestPosition = position;
      keepResponse(exchange, position);
      return true;
    },
    run(fallbackId) {
      const thread = createThread();
      const { messages } = newest;
      for (let index = 0; index <= messages.length; index++) {
        const kept = responses.get(index);
        const message = { ...messages[index], ...kept?.response };
        const position = kept?.position ?? { ...newestPosition, entry: `message ${index + 1}` };
        if (message["role"] === "assistant")
          thread.reply({ message, request: textField(message["id"]), at: timeField(kept?.at), position });
        if (message["role"] === "user") addUser(message["content"]);
      }
      return thread.run({ id: newest.id ?? fallbackId, source: "anthropic-messages" });

      function addUser(content: unknown): void {
        thread.results({ content });
        const blocks = contentBlocks(content).filter((block) => toolResult(block) === undefined);
        const text = contentText(blocks);
        if (text.trim() !== "" && !isReminder(text)) thread.prompt(text, true);
      }
    },
  };
}

/** Whether a message may be this reply. A reply that the program did not keep is followed by one of the user. */
function repeatsReply(message: JsonObject | undefined, response: JsonObject | undefined): boolean {
  if (message?.["role"] !== "assistant" || response === undefined) return true;
  const [sent, received] = [message, response].map(({ content }) => prefixDigests([{ role: "assistant", content }])[0]);
  return sent === received;
}

/** Programs add reminders to results in the name of the user. */
function isReminder(text: string): boolean {
  return text.startsWith("<system-reminder>");
}

/** The model of a request, for replies that name none. */
export function withModel(run: RecordedRun, model: string | undefined): RecordedRun {
  return { ...run, ...optional("model", run.model ?? model) };
}
