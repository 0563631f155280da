import { setTimeout as pause } from "node:timers/promises";
import { readActionData } from "../answers/actions.ts";
import type { IncomingAnswer } from "../answers/apply-answer.ts";
import type { AnswerReader, Confirm } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { field, idText } from "./http.ts";
import { inert } from "./markup.ts";
import { callTelegram } from "./telegram-api.ts";

/** How long the server waits for an update. */
const pollSecs = 25;
const maxBackOffMs = 60_000;
/** The server may ask for a longer wait, up to this one: an answer must not wait for ever. */
const maxAskedMs = 10 * 60_000;
/** Anybody can write to a bot: so many updates at once, and so much of the server's answer. */
const maxUpdates = 10;
const maxBytes = 2_000_000;

/** Reads answers by long polling. One process at a time may do that for a bot. */
export async function readTelegram(settings: ChannelSettings, reader: AnswerReader): Promise<void> {
  const { signal } = reader;
  let offset: number | undefined;
  let limit = maxUpdates;
  let failures = 0;
  while (!signal.aborted) {
    const called = await callTelegram(settings, {
      method: "getUpdates",
      // The first call returns at once, to show that the bot works.
      body: { ...pollBody(offset, failures === 0 && offset === undefined ? 0 : pollSecs), limit },
      signal,
      maxBytes,
      timeoutMs: (pollSecs + 15) * 1_000,
    });
    if (signal.aborted) break;
    const unreadId = called.type === "done" ? undefined : /"update_id"\s*:\s*(\d+)/.exec(called.unread ?? "")?.[1];
    if (unreadId !== undefined) {
      // One update that cannot be read must not hold up the others: they are read one by one, and it is left out.
      if (limit === 1) offset = Number(unreadId) + 1;
      limit = 1;
      continue;
    }
    if (called.type !== "done") {
      failures += 1;
      reader.onProblem(called.problem);
      const backOffMs = Math.min(1_000 * 2 ** Math.min(failures, 10), maxBackOffMs);
      const afterMs = called.type === "retry" ? Math.min(called.afterMs ?? 0, maxAskedMs) : maxBackOffMs;
      await pause(Math.max(backOffMs, afterMs), undefined, { signal }).catch(() => {}); // the loop ends
      continue;
    }
    failures = 0;
    limit = maxUpdates;
    reader.onReady();
    const updates = Array.isArray(called.result) ? called.result : [];
    offset ??= 0;
    for (const update of updates) {
      const id = field(update, "update_id");
      if (typeof id === "number") offset = Math.max(offset, id + 1);
      const answer = answerOf(update, settings.account);
      if (answer !== undefined) await reader.onAnswer(answer, confirmer(settings, update, signal));
    }
  }
  await confirmUpdates(settings, offset);
}

function pollBody(offset: number | undefined, timeout: number): object {
  return {
    timeout,
    allowed_updates: ["message", "edited_message", "callback_query"],
    ...(offset === undefined ? {} : { offset }),
  };
}

/** Tells the server which updates were handled, so that the next reader does not get them again. */
async function confirmUpdates(settings: ChannelSettings, offset: number | undefined): Promise<void> {
  if (offset === undefined || offset === 0) return;
  const body = { ...pollBody(offset, 0), limit: 1 };
  await callTelegram(settings, { method: "getUpdates", body, signal: AbortSignal.timeout(3_000) });
}

/** An update as an answer; undefined if it is none of a person to a message of ours. */
function answerOf(update: unknown, account: string): IncomingAnswer | undefined {
  const query = field(update, "callback_query");
  const edited = field(update, "edited_message");
  const message = query === undefined ? (edited ?? field(update, "message")) : field(query, "message");
  const from = field(query ?? message, "from");
  const sender = idText(field(from, "id"));
  const place = idText(field(message, "chat", "id"));
  if (sender === undefined || place === undefined) return undefined;
  const name = field(from, "username") ?? field(from, "first_name");
  const known = {
    account,
    type: "telegram",
    sender,
    place,
    ...(typeof name === "string" ? { senderName: name } : {}),
  };
  if (query !== undefined) {
    const data = field(query, "data");
    const button = typeof data === "string" ? readActionData(data) : undefined;
    const id = idText(field(query, "id"));
    return button === undefined || id === undefined ? undefined : { ...known, messageId: `query ${id}`, button };
  }
  const text = field(message, "text");
  const replyTo = idText(field(message, "reply_to_message", "message_id"));
  const id = idText(field(message, "message_id"));
  if (typeof text !== "string" || id === undefined) return undefined;
  const written = { ...known, messageId: `${place}/${id}`, text };
  if (replyTo !== undefined) return { ...written, replyTo, ...(edited === undefined ? {} : { isEdited: true }) };
  const isDirect = field(message, "chat", "type") === "private" && edited === undefined;
  return isDirect ? { ...written, directNumber: Number(id) } : undefined;
}

/** Answers a button with a short notice, takes the buttons away, and replies in the chat. */
function confirmer(settings: ChannelSettings, update: unknown, signal: AbortSignal): Confirm {
  const query = field(update, "callback_query");
  const message = field(query ?? update, "message") ?? field(update, "edited_message");
  const chat = field(message, "chat", "id");
  const messageId = field(message, "message_id");
  const call = (method: string, body: object) => callTelegram(settings, { method, body, signal });
  return async (text, { isClosed, isSilent }) => {
    if (query !== undefined)
      await call("answerCallbackQuery", { callback_query_id: field(query, "id"), text: text.slice(0, 200) });
    if (isSilent) return;
    if (query !== undefined && isClosed)
      await call("editMessageReplyMarkup", {
        chat_id: chat,
        message_id: messageId,
        reply_markup: { inline_keyboard: [] },
      });
    await call("sendMessage", {
      chat_id: chat,
      text: inert(text),
      link_preview_options: { is_disabled: true },
      reply_parameters: { message_id: messageId, allow_sending_without_reply: true },
    });
  };
}
