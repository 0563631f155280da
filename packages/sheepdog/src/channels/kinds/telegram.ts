import { actionData } from "../answers/actions.ts";
import type { ChannelKind, Outgoing } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { noticeText } from "../notice-text.ts";
import { field, idText } from "./http.ts";
import { type Markup, markedUp } from "./markup.ts";
import { callTelegram } from "./telegram-api.ts";
import { readTelegram } from "./telegram-updates.ts";

/** A bot of Telegram: `sendMessage`, and `getUpdates` for answers. */
export const telegram: ChannelKind = {
  spacingMs: 1_000, // a chat takes about one message a second
  async send(settings, outgoing, signal) {
    const called = await callTelegram(settings, { method: "sendMessage", body: sendBody(settings, outgoing), signal });
    if (called.type !== "done") return called;
    const messageId = idText(field(called.result, "message_id"));
    const place = idText(field(called.result, "chat", "id"));
    return {
      type: "sent",
      answer: `Telegram accepted message ${messageId ?? ""} for chat ${place ?? ""}.`,
      ...(messageId === undefined ? {} : { messageId }),
      ...(place === undefined ? {} : { place }),
    };
  },
  async check(settings, signal) {
    const called = await callTelegram(settings, { method: "getChat", body: { chat_id: settings.to }, signal });
    if (called.type !== "done") return called;
    return { type: "sent", answer: "Telegram knows the bot and the chat." };
  },
  conversation: { read: readTelegram },
};

const maxChars = 4_096;

const html: Markup = {
  escape: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  bold: (escaped) => `<b>${escaped}</b>`,
  code: (text) => `<pre>${html.escape(text)}</pre>`,
};

/** The parameters of `sendMessage`. */
function sendBody({ to }: Pick<ChannelSettings, "to">, { notice, actions, requestId }: Outgoing): object {
  const buttons =
    requestId === undefined
      ? []
      : actions.map(({ verb, label }) => ({ text: label, callback_data: actionData(verb, requestId) }));
  return {
    chat_id: to,
    text: markedUp(noticeText(notice, actions), html, maxChars),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
    ...(buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: rowsOf(buttons) } }),
  };
}

/** Two buttons a row: more do not fit on a phone. */
function rowsOf<T>(buttons: readonly T[]): readonly (readonly T[])[] {
  return buttons.length === 0 ? [] : [buttons.slice(0, 2), ...rowsOf(buttons.slice(2))];
}
