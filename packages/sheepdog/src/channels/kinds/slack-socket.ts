import { readActionData } from "../answers/actions.ts";
import type { IncomingAnswer } from "../answers/incoming-answer.ts";
import type { AnswerReader, Confirm } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { field, idText } from "./http.ts";
import { inert } from "./markup.ts";
import { type Ended, keepConnected } from "./reconnect.ts";
import { callSlack } from "./slack-api.ts";
import { runSocket } from "./web-socket.ts";

/** Reads answers by Socket Mode: the server is asked for an address, and sends envelopes over a WebSocket. */
export async function readSlack(settings: ChannelSettings, reader: AnswerReader): Promise<void> {
  await keepConnected((onReady) => connect(settings, reader, onReady), reader);
}

async function connect(settings: ChannelSettings, reader: AnswerReader, onReady: () => void): Promise<Ended> {
  const { signal } = reader;
  const { app_token: token } = settings.secrets;
  const opened = await callSlack(settings, { method: "apps.connections.open", body: {}, signal, token });
  if (opened.type !== "done") return { problem: opened.problem, isFinal: opened.type === "refused" };
  const url = field(opened.result, "url");
  if (typeof url !== "string") return { problem: "Slack named no address for Socket Mode." };
  let isAsked = false;
  const { code, problem } = await runSocket({
    url,
    signal,
    onMessage(envelope, socket) {
      const type = field(envelope, "type");
      if (type === "hello") onReady();
      if (type === "disconnect") {
        isAsked = true;
        socket.close();
      }
      const id = field(envelope, "envelope_id");
      if (typeof id !== "string") return;
      socket.send({ envelope_id: id }); // within three seconds, whatever comes of it
      const answer = answerOf(envelope, settings.account);
      if (answer !== undefined) void reader.onAnswer(answer, confirmer(settings, envelope, signal));
    },
  });
  return isAsked ? {} : { problem: `The connection to Slack ended (${problem ?? code}).` };
}

/** An envelope as an answer; undefined if it is none of a person to a message of ours. */
function answerOf(envelope: unknown, account: string): IncomingAnswer | undefined {
  const payload = field(envelope, "payload");
  switch (field(envelope, "type")) {
    case "interactive":
      return buttonAnswer(payload, account);
    case "events_api":
      return messageAnswer(field(payload, "event"), account);
    default:
      return undefined;
  }
}

function buttonAnswer(payload: unknown, account: string): IncomingAnswer | undefined {
  const actions = field(payload, "actions");
  const [action]: readonly unknown[] = Array.isArray(actions) ? actions : [];
  const value = field(action, "value");
  const button = typeof value === "string" ? readActionData(value) : undefined;
  const sender = idText(field(payload, "user", "id"));
  const place = idText(field(payload, "channel", "id"));
  if (field(payload, "type") !== "block_actions" || button === undefined) return undefined;
  if (sender === undefined || place === undefined) return undefined;
  const name = field(payload, "user", "username") ?? field(payload, "user", "name");
  const at = idText(field(action, "action_ts")) ?? idText(field(payload, "trigger_id")) ?? "";
  return {
    account,
    type: "slack",
    sender,
    place,
    messageId: `action ${sender} ${at} ${value}`,
    button,
    ...(typeof name === "string" ? { senderName: name } : {}),
  };
}

/** A reply is a message in the thread of ours. Bots, and we ourselves, are not answered. */
function messageAnswer(event: unknown, account: string): IncomingAnswer | undefined {
  const isEdited = field(event, "subtype") === "message_changed";
  const message = isEdited ? field(event, "message") : event;
  const isPlain = isEdited || field(event, "subtype") === undefined;
  if (field(event, "type") !== "message" || !isPlain || field(message, "bot_id") !== undefined) return undefined;
  const sender = idText(field(message, "user"));
  const place = idText(field(event, "channel"));
  const at = idText(field(message, "ts"));
  const replyTo = idText(field(message, "thread_ts"));
  const text = field(message, "text");
  if (sender === undefined || place === undefined || at === undefined || replyTo === undefined) return undefined;
  if (typeof text !== "string" || replyTo === at) return undefined;
  return {
    account,
    type: "slack",
    sender,
    place,
    messageId: `${place}/${at}`,
    replyTo,
    text: text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
    ...(isEdited ? { isEdited } : {}),
  };
}

/** Takes the buttons away, and replies in the thread. */
function confirmer(settings: ChannelSettings, envelope: unknown, signal: AbortSignal): Confirm {
  const payload = field(envelope, "payload");
  const message = field(payload, "message");
  const event = field(payload, "event");
  const channel = field(payload, "channel", "id") ?? field(event, "channel");
  const thread = field(message, "thread_ts") ?? field(message, "ts") ?? field(event, "thread_ts");
  const call = (method: string, body: object) => callSlack(settings, { method, body, signal });
  return async (text, { isClosed, isSilent }) => {
    if (isSilent) return;
    const blocks = field(message, "blocks");
    if (isClosed && Array.isArray(blocks))
      await call("chat.update", {
        channel,
        ts: field(message, "ts"),
        text: field(message, "text"),
        blocks: blocks.filter((block) => field(block, "type") !== "actions"),
      });
    await call("chat.postMessage", { channel, thread_ts: thread, text: inert(text), unfurl_links: false });
  };
}
