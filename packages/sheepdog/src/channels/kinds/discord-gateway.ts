import { readActionData } from "../answers/actions.ts";
import type { IncomingAnswer } from "../answers/apply-answer.ts";
import type { AnswerReader, Confirm } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { callDiscord } from "./discord-api.ts";
import { field, idText } from "./http.ts";
import { inert } from "./markup.ts";
import { type Ended, keepConnected } from "./reconnect.ts";
import { runSocket, type Socket } from "./web-socket.ts";

/** The operations of the gateway that are used here. */
const op = { dispatch: 0, heartbeat: 1, identify: 2, reconnect: 7, invalidSession: 9, hello: 10 } as const;
/** Messages in servers and in direct chats. The text of replies to the bot is sent without further rights. */
const intents = (1 << 9) | (1 << 12);
/** The token or the rights are wrong: connecting again does not help. */
const finalCodes: readonly number[] = [4004, 4010, 4011, 4012, 4013, 4014];

/** Reads answers from the gateway: buttons as interactions, replies as messages. */
export async function readDiscord(settings: ChannelSettings, reader: AnswerReader): Promise<void> {
  await keepConnected((onReady) => connect(settings, reader, onReady), reader);
}

async function connect(settings: ChannelSettings, reader: AnswerReader, onReady: () => void): Promise<Ended> {
  const { signal } = reader;
  const asked = await callDiscord(settings, { path: "/gateway/bot", method: "GET", signal });
  if (asked.type !== "done") return { problem: asked.problem, isFinal: asked.type === "refused" };
  const url = field(asked.result, "url");
  if (typeof url !== "string") return { problem: "Discord named no address of its gateway." };
  let sequence: number | null = null;
  let isAsked = false;
  let beating: NodeJS.Timeout | undefined;
  const { code, problem } = await runSocket({
    url: `${url.replace(/\/$/, "")}/?v=10&encoding=json`,
    signal,
    onMessage(message, socket) {
      const received = field(message, "s");
      if (typeof received === "number") sequence = received;
      const beat = () => socket.send({ op: op.heartbeat, d: sequence });
      switch (field(message, "op")) {
        case op.hello:
          clearInterval(beating);
          beating = setInterval(beat, heartbeatMs(field(message, "d", "heartbeat_interval")));
          identify(socket, settings.secrets.token);
          return;
        case op.heartbeat:
          beat();
          return;
        case op.reconnect:
        case op.invalidSession:
          isAsked = true;
          socket.close();
          return;
        case op.dispatch:
          if (field(message, "t") === "READY") onReady();
          else dispatch(settings, reader, message);
          return;
        default:
          return;
      }
    },
  });
  clearInterval(beating);
  if (isAsked) return {};
  const isFinal = finalCodes.includes(code);
  return { problem: `The connection to Discord ended (${problem ?? code}).`, isFinal };
}

function identify(socket: Socket, token: string | undefined): void {
  const properties = { os: process.platform, browser: "sheepdog", device: "sheepdog" };
  socket.send({ op: op.identify, d: { token, intents, properties } });
}

function heartbeatMs(interval: unknown): number {
  return typeof interval === "number" && interval >= 1_000 ? Math.min(interval, 60_000) : 30_000;
}

function dispatch(settings: ChannelSettings, reader: AnswerReader, message: unknown): void {
  const data = field(message, "d");
  const answer = answerOf(message, settings.account);
  if (answer === undefined) return;
  const { signal } = reader;
  // An interaction must be acknowledged within three seconds, whatever comes of it.
  if (answer.button !== undefined)
    void callDiscord(settings, {
      path: `/interactions/${idText(field(data, "id"))}/${idText(field(data, "token"))}/callback`,
      body: { type: 6 },
      signal,
    });
  void reader.onAnswer(answer, confirmer(settings, data, signal));
}

/** A dispatch as an answer; undefined if it is none of a person to a message of ours. */
function answerOf(message: unknown, account: string): IncomingAnswer | undefined {
  const data = field(message, "d");
  const event = field(message, "t");
  const isButton = event === "INTERACTION_CREATE" && field(data, "type") === 3;
  const user = isButton ? (field(data, "member", "user") ?? field(data, "user")) : field(data, "author");
  const sender = idText(field(user, "id"));
  const place = idText(field(data, "channel_id"));
  const id = idText(field(data, "id"));
  if (sender === undefined || place === undefined || id === undefined || field(user, "bot") === true) return undefined;
  const name = field(user, "username");
  const known = {
    account,
    type: "discord",
    sender,
    place,
    messageId: id,
    ...(typeof name === "string" ? { senderName: name } : {}),
  };
  if (isButton) {
    const customId = field(data, "data", "custom_id");
    const button = typeof customId === "string" ? readActionData(customId) : undefined;
    return button === undefined ? undefined : { ...known, button };
  }
  const isEdited = event === "MESSAGE_UPDATE";
  const text = field(data, "content");
  const replyTo = idText(field(data, "message_reference", "message_id"));
  if ((event !== "MESSAGE_CREATE" && !isEdited) || typeof text !== "string" || text === "" || replyTo === undefined)
    return undefined;
  return { ...known, replyTo, text, ...(isEdited ? { isEdited } : {}) };
}

/** Takes the buttons away, and replies in the channel. */
function confirmer(settings: ChannelSettings, data: unknown, signal: AbortSignal): Confirm {
  const channel = idText(field(data, "channel_id")) ?? "";
  const ours = idText(field(data, "message", "id"));
  const replyTo = ours ?? idText(field(data, "id"));
  return async (text, { isClosed, isSilent }) => {
    if (isSilent) return;
    const path = `/channels/${encodeURIComponent(channel)}/messages`;
    if (isClosed && ours !== undefined)
      await callDiscord(settings, { path: `${path}/${ours}`, method: "PATCH", body: { components: [] }, signal });
    const body = {
      content: inert(text),
      allowed_mentions: { parse: [] },
      message_reference: { message_id: replyTo, fail_if_not_exists: false },
    };
    await callDiscord(settings, { path, body, signal });
  };
}
