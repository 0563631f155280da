import { type ServedTest, startVendorServer, type VendorRequest, type VendorServer } from "./vendor-server.ts";

/** A Bot API server: it refuses what the documentation of the Bot API does not allow. */
export interface TelegramServer extends VendorServer {
  readonly token: string;
  /** Messages of `sendMessage` that were accepted. */
  readonly messages: readonly SentMessage[];
  /** Makes an update available to `getUpdates`. */
  push(update: Readonly<Record<string, unknown>>): void;
  /** Somebody presses the button with this label under a message. */
  press(label: string, from: number, options?: { readonly chat?: number; readonly message?: SentMessage }): void;
  /** Somebody replies to a message. */
  reply(text: string, from: number, message?: SentMessage): void;
}

interface SentMessage {
  readonly message_id: number;
  readonly chat_id: number;
  readonly text: string;
  readonly buttons: readonly { readonly text: string; readonly callback_data: string }[];
  readonly replyTo?: number;
}

/** A token of the form that Telegram gives out. */
const token = "123456:AA-telegram-canary-token-0123456789";

export async function startTelegram(served?: ServedTest): Promise<TelegramServer> {
  const messages: SentMessage[] = [];
  let updates: { readonly update_id: number }[] = [];
  let updateId = 1_000;
  let reading = 0;
  const wake: (() => void)[] = [];
  const push = (update: Readonly<Record<string, unknown>>) => {
    updateId += 1;
    updates.push({ update_id: updateId, ...update });
    for (const each of wake.splice(0)) each();
  };
  const fail = (description: string, error_code = 400) => ({
    status: error_code,
    json: { ok: false, error_code, description },
  });

  async function answer({ path, method, body, headers }: VendorRequest) {
    const [, given, name] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (given !== token) return fail("Unauthorized", 401);
    if (method !== "POST" || !/^application\/json/.test(headers["content-type"] ?? "")) return fail("Bad Request");
    switch (name) {
      case "sendMessage":
        return sendMessage(body);
      case "getUpdates": {
        if (reading > 0)
          return fail(
            "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
            409,
          );
        const { offset = 0, timeout = 0 } = body as { offset?: number; timeout?: number };
        updates = updates.filter(({ update_id }) => update_id >= offset);
        reading += 1;
        if (updates.length === 0 && timeout > 0)
          await new Promise<void>((resolve) => {
            wake.push(resolve);
            setTimeout(resolve, timeout * 1_000).unref();
          });
        reading -= 1;
        return { json: { ok: true, result: updates } };
      }
      case "answerCallbackQuery":
        return typeof body["callback_query_id"] === "string" && String(body["text"] ?? "").length <= 200
          ? { json: { ok: true, result: true } }
          : fail("Bad Request: query is too old");
      case "editMessageReplyMarkup":
      case "getChat":
        return { json: { ok: true, result: {} } };
      default:
        return fail("Not Found", 404);
    }
  }

  function sendMessage(body: Readonly<Record<string, unknown>>) {
    const { chat_id, text, parse_mode, reply_markup, reply_parameters } = body as {
      chat_id?: string | number;
      text?: string;
      parse_mode?: string;
      reply_markup?: { inline_keyboard?: { text: string; callback_data: string }[][] };
      reply_parameters?: { message_id: number };
    };
    if (chat_id === undefined || !/^-?\d+$/.test(String(chat_id))) return fail("Bad Request: chat not found");
    if (typeof text !== "string" || text === "") return fail("Bad Request: message text is empty");
    if (parse_mode === "HTML" && !isTelegramHtml(text)) return fail("Bad Request: can't parse entities");
    if (text.replace(/<[^>]*>/g, "").length > 4_096) return fail("Bad Request: message is too long");
    const buttons = (reply_markup?.inline_keyboard ?? []).flat();
    if (buttons.some(({ callback_data: data }) => Buffer.byteLength(data) < 1 || Buffer.byteLength(data) > 64))
      return fail("Bad Request: BUTTON_DATA_INVALID");
    const message: SentMessage = {
      message_id: messages.length + 1,
      chat_id: Number(chat_id),
      text,
      buttons,
      ...(reply_parameters === undefined ? {} : { replyTo: reply_parameters.message_id }),
    };
    messages.push(message);
    return { json: { ok: true, result: { message_id: message.message_id, chat: { id: message.chat_id }, date: 1 } } };
  }

  const server = await startVendorServer(answer, served);
  const last = () => messages.findLast(({ buttons }) => buttons.length > 0) ?? messages.at(-1);
  return {
    ...server,
    token,
    messages,
    push,
    press(label, from, { chat, message = last() } = {}) {
      const data = message?.buttons.find(({ text }) => text === label)?.callback_data;
      push({
        callback_query: {
          id: String(9_000 + updateId),
          from: { id: from, is_bot: false, first_name: "Ann", username: "ann" },
          message: {
            message_id: message?.message_id,
            date: 1,
            chat: { id: chat ?? message?.chat_id, type: "private" },
          },
          chat_instance: "1",
          data,
        },
      });
    },
    reply(text, from, message = last()) {
      push({
        message: {
          message_id: 5_000 + updateId,
          date: 1,
          from: { id: from, is_bot: false, first_name: "Ann" },
          chat: { id: message?.chat_id, type: "private" },
          reply_to_message: { message_id: message?.message_id, date: 1, chat: { id: message?.chat_id } },
          text,
        },
      });
    },
  };
}

/** Tags that the Bot API knows, closed in order, and no other `<`, `>` or `&`. */
function isTelegramHtml(text: string): boolean {
  const open: string[] = [];
  const rest = text.replace(/<(\/?)(b|i|u|s|a|code|pre)(?: [^>]*)?>/g, (_, slash: string, tag: string) => {
    if (slash === "") open.push(tag);
    else if (open.pop() !== tag) open.push("broken");
    return "";
  });
  return open.length === 0 && !/[<>]|&(?!(?:lt|gt|amp|quot);)/.test(rest);
}
