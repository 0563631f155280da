import { readActionData } from "../answers/actions.ts";
import type { IncomingAnswer } from "../answers/incoming-answer.ts";
import type { AnswerReader, Confirm } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { callDiscord } from "./discord-api.ts";
import { field, idText } from "./http.ts";
import { inert } from "./markup.ts";
import { type Ended, keepConnected } from "./reconnect.ts";
import { runSocket, type Socket } from "./web-socket.ts";

/** The operations of the gateway that are used here. */
const op = {
  ...{ dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7 },
  ...{ invalidSession: 9, hello: 10, heartbeatAck: 11 },
} as const;
/** Messages in servers and in direct chats. The text of replies to the bot is sent without further rights. */
const intents = (1 << 9) | (1 << 12);
/** The token or the rights are wrong: connecting again does not help. */
const finalCodes: readonly number[] = [4004, 4010, 4011, 4012, 4013, 4014];

/** Reads answers from the gateway: buttons as interactions, replies as messages. */
export async function readDiscord(settings: ChannelSettings, reader: AnswerReader): Promise<void> {
  const session: Session = { sequence: null };
  await keepConnected((onReady) => connect(settings, session, { ...reader, onReady }), reader);
}

/** What a new connection continues: the events since then are sent again. */
interface Session {
  sequence: number | null;
  id?: string | undefined;
  url?: string | undefined;
}

async function connect(settings: ChannelSettings, session: Session, reader: AnswerReader): Promise<Ended> {
  const { signal, onReady } = reader;
  const asked = session.url === undefined ? await gatewayUrl(settings, signal) : { url: session.url };
  if ("problem" in asked) return asked;
  const { url } = asked;
  let isAsked = false;
  let isAlive = true;
  let beating: NodeJS.Timeout | undefined;
  const { code, problem } = await runSocket({
    url: `${url.replace(/\/$/, "")}/?v=10&encoding=json`,
    signal,
    onMessage(message, socket) {
      const received = field(message, "s");
      if (typeof received === "number") session.sequence = received;
      const beat = () => socket.send({ op: op.heartbeat, d: session.sequence });
      switch (field(message, "op")) {
        case op.hello:
          clearInterval(beating);
          beating = setInterval(
            () => {
              if (!isAlive) return socket.close(4_000); // the session stays, and the next connection continues it
              isAlive = false;
              beat();
            },
            heartbeatMs(field(message, "d", "heartbeat_interval")),
          );
          if (session.id === undefined) identify(socket, settings.secrets.token);
          else resume(socket, settings.secrets.token, session);
          return;
        case op.heartbeatAck:
          isAlive = true;
          return;
        case op.heartbeat:
          beat();
          return;
        case op.reconnect:
          isAsked = true;
          socket.close(4_000);
          return;
        case op.invalidSession:
          isAsked = true;
          if (field(message, "d") !== true) forget(session);
          socket.close(4_000);
          return;
        case op.dispatch:
          if (field(message, "t") === "READY") remember(session, field(message, "d"));
          if (field(message, "t") === "READY" || field(message, "t") === "RESUMED") onReady();
          else dispatch(settings, reader, message);
          return;
        default:
          return;
      }
    },
  });
  clearInterval(beating);
  if (isAsked) return {};
  // The address of the session is tried once more; then the session is given up.
  if (problem !== undefined || sessionEndCodes.includes(code)) forget(session);
  const isFinal = finalCodes.includes(code);
  return { problem: `The connection to Discord ended (${problem ?? code}).`, isFinal };
}

async function gatewayUrl(
  settings: ChannelSettings,
  signal: AbortSignal,
): Promise<{ readonly url: string } | { readonly problem: string; readonly isFinal?: boolean }> {
  const asked = await callDiscord(settings, { path: "/gateway/bot", method: "GET", signal });
  if (asked.type !== "done") return { problem: asked.problem, isFinal: asked.type === "refused" };
  const url = field(asked.result, "url");
  return typeof url === "string" ? { url } : { problem: "Discord named no address of its gateway." };
}

/** The session cannot be continued after these. */
const sessionEndCodes: readonly number[] = [1000, 1001, 4007, 4009];

function remember(session: Session, ready: unknown): void {
  const [id, url] = [field(ready, "session_id"), field(ready, "resume_gateway_url")];
  if (typeof id === "string" && typeof url === "string") Object.assign(session, { id, url });
}

function forget(session: Session): void {
  Object.assign(session, { sequence: null, id: undefined, url: undefined });
}

function resume(socket: Socket, token: string | undefined, { id, sequence }: Session): void {
  socket.send({ op: op.resume, d: { token, session_id: id, seq: sequence } });
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
