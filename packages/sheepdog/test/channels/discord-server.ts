import { type WebSocket, WebSocketServer } from "ws";
import { type ServedTest, startVendorServer, type VendorRequest, type VendorServer } from "./vendor-server.ts";

/** A server of Discord's REST API, webhooks and gateway: it refuses what their documentation excludes. */
export interface DiscordServer extends VendorServer {
  readonly botToken: string;
  readonly messages: readonly DiscordMessage[];
  press(label: string, user: string): void;
  reply(text: string, user: string): void;
  readonly heartbeats: () => number;
  /** Ends the connection as a failing network does. */
  cut(): void;
  /** The sessions that were continued, with the number of the last event. */
  readonly resumed: readonly (readonly [session: string, seq: number])[];
}

interface DiscordMessage {
  readonly id: string;
  readonly content: string;
  readonly components: readonly {
    readonly type: number;
    readonly components: readonly { readonly type: number; readonly label: string; readonly custom_id: string }[];
  }[];
  readonly replyTo?: string;
}

const channel = "998877";

export async function startDiscord(served?: ServedTest): Promise<DiscordServer> {
  const botToken = "discord-canary-bot-token-0123456789";
  const messages: DiscordMessage[] = [];
  let socket: WebSocket | undefined;
  let heartbeats = 0;
  let sequence = 1;
  const resumed: [string, number][] = [];
  const sent: { readonly s: number; readonly text: string }[] = [];
  const fail = (status: number, message: string) => ({ status, json: { message, code: 0 } });

  function answer(request: VendorRequest) {
    const { path, method, headers, body, query } = request;
    const isWebhook = path === "/api/webhooks/1/hook-token";
    if (isWebhook && method === "GET") return { json: { id: "1", channel_id: channel } };
    if (/\/interactions\/[^/]+\/[^/]+\/callback$/.test(path))
      return body["type"] === 6 ? { status: 204 } : fail(400, "no");
    if (!isWebhook && headers.authorization !== `Bot ${botToken}`) return fail(401, "401: Unauthorized");
    if (path === "/api/v10/gateway/bot") return { json: { url: `ws://127.0.0.1:${vendor.port}`, shards: 1 } };
    if (path === `/api/v10/channels/${channel}`) return { json: { id: channel } };
    if (method === "PATCH") return { json: {} };
    if (!isWebhook && path !== `/api/v10/channels/${channel}/messages`) return fail(404, "Unknown Channel");
    const problem = problemOf(body);
    if (problem !== undefined) return fail(400, problem);
    const {
      content,
      components = [],
      message_reference,
    } = body as Partial<DiscordMessage> & {
      message_reference?: { message_id: string };
    };
    const id = String(5_000 + messages.length);
    const replyTo = message_reference === undefined ? {} : { replyTo: message_reference.message_id };
    messages.push({ id, content: content ?? "", components, ...replyTo });
    return isWebhook && query.get("wait") !== "true" ? { status: 204 } : { json: { id, channel_id: channel } };
  }

  const vendor = await startVendorServer(answer, served);
  const sockets = new WebSocketServer({ server: vendor.server });
  sockets.on("connection", (client, { url }) => {
    if (url !== "/?v=10&encoding=json") return client.close(4012);
    socket = client;
    client.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 1_000 }, s: null, t: null }));
    client.on("message", (data) => {
      const { op, d } = JSON.parse(String(data));
      if (op === 1) {
        heartbeats += 1;
        client.send(JSON.stringify({ op: 11 }));
      }
      if (op === 6) {
        if (d.token !== botToken) return client.close(4004);
        resumed.push([d.session_id, d.seq]);
        for (const { s, text } of sent) if (s > d.seq) client.send(text);
        return dispatch("RESUMED", {});
      }
      if (op !== 2) return;
      if (d.token !== botToken || typeof d.intents !== "number" || d.properties?.os === undefined)
        return client.close(4004);
      dispatch("READY", { v: 10, session_id: "s1", resume_gateway_url: `ws://127.0.0.1:${vendor.port}` });
    });
  });
  const dispatch = (t: string, d: object) => {
    const text = JSON.stringify({ op: 0, t, s: sequence, d });
    sent.push({ s: sequence, text });
    socket?.send(text);
    sequence += 1;
  };
  const asked = () => messages.find(({ components }) => components.length > 0);
  return {
    ...vendor,
    botToken,
    messages,
    press(label, user) {
      const message = asked();
      const button = message?.components.flatMap(({ components }) => components).find((each) => each.label === label);
      dispatch("INTERACTION_CREATE", {
        id: `7${sequence}`,
        token: "interaction-token",
        type: 3,
        version: 1,
        channel_id: channel,
        member: { user: { id: user, username: "ann" } },
        message: { id: message?.id },
        data: { component_type: 2, custom_id: button?.custom_id },
      });
    },
    reply(text, user) {
      dispatch("MESSAGE_CREATE", {
        id: `8${sequence}`,
        type: 19,
        channel_id: channel,
        author: { id: user, username: "ann" },
        content: text,
        message_reference: { message_id: asked()?.id, channel_id: channel },
      });
    },
    heartbeats: () => heartbeats,
    cut() {
      socket?.terminate();
      socket = undefined;
    },
    resumed,
  };
}

function problemOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const {
    content,
    components = [],
    allowed_mentions,
  } = body as Partial<DiscordMessage> & {
    allowed_mentions?: { parse?: unknown[] };
  };
  if (typeof content !== "string" || content === "" || content.length > 2_000) return "Invalid Form Body: content";
  if (allowed_mentions?.parse?.length !== 0) return "the message would ping people";
  const rows = components.every(
    ({ type, components: buttons }) =>
      type === 1 &&
      buttons.length <= 5 &&
      buttons.every((button) => button.type === 2 && button.label.length <= 80 && button.custom_id.length <= 100),
  );
  return rows ? undefined : "Invalid Form Body: components";
}
