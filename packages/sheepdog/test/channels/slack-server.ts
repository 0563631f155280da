import { type WebSocket, WebSocketServer } from "ws";
import { type ServedTest, startVendorServer, type VendorRequest, type VendorServer } from "./vendor-server.ts";

/** A server of Slack's Web API, incoming webhooks and Socket Mode: it refuses what their documentation excludes. */
export interface SlackServer extends VendorServer {
  readonly botToken: string;
  readonly appToken: string;
  readonly messages: readonly SlackMessage[];
  /** Ids of envelopes that the client has acknowledged. */
  readonly acknowledged: readonly string[];
  press(label: string, user: string, options?: { readonly channel?: string }): void;
  reply(text: string, user: string): void;
  /** Asks the client to connect again, as Slack does about every hour. */
  disconnect(): void;
  readonly connections: () => number;
}

interface SlackMessage {
  readonly ts: string;
  readonly channel: string;
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  readonly thread_ts?: string;
}

interface SlackBlock {
  readonly type: string;
  readonly text?: { readonly type: string; readonly text: string };
  readonly elements?: readonly {
    readonly type: string;
    readonly action_id: string;
    readonly value: string;
    readonly text: { readonly type: string; readonly text: string };
  }[];
}

export async function startSlack(served?: ServedTest): Promise<SlackServer> {
  const [botToken, appToken] = ["xoxb-slack-canary-bot-token", "xapp-slack-canary-app-token"];
  const messages: SlackMessage[] = [];
  const acknowledged: string[] = [];
  let socket: WebSocket | undefined;
  let connected = 0;
  const fail = (error: string) => ({ json: { ok: false, error } });

  function answer(request: VendorRequest) {
    const { path, headers, body } = request;
    if (path.startsWith("/services/")) return isValid(body) ? { text: "ok" } : { status: 400, text: "invalid_payload" };
    if (!/^application\/json; charset=utf-8/.test(headers["content-type"] ?? "")) return fail("invalid_post_type");
    const token = path.endsWith("apps.connections.open") ? appToken : botToken;
    if (headers.authorization !== `Bearer ${token}`) return fail("invalid_auth");
    if (path.endsWith("/apps.connections.open"))
      return { json: { ok: true, url: `ws://127.0.0.1:${vendor.port}/link?ticket=1` } };
    if (path.endsWith("/auth.test")) return { json: { ok: true, user: "sheepdog" } };
    if (path.endsWith("/chat.update")) return { json: { ok: true } };
    if (!path.endsWith("/chat.postMessage")) return fail("unknown_method");
    const { channel, text, blocks = [], thread_ts } = body as Partial<SlackMessage>;
    if (channel !== "C123") return fail("channel_not_found");
    if (!isValid(body)) return fail("invalid_blocks");
    const ts = `1700000000.00000${messages.length}`;
    messages.push({ ts, channel, text: text ?? "", blocks, ...(thread_ts === undefined ? {} : { thread_ts }) });
    return { json: { ok: true, channel, ts, message: { text } } };
  }

  const vendor = await startVendorServer(answer, served);
  const sockets = new WebSocketServer({ server: vendor.server });
  sockets.on("connection", (client) => {
    socket = client;
    connected += 1;
    client.on("message", (data) => acknowledged.push(JSON.parse(String(data)).envelope_id));
    client.send(JSON.stringify({ type: "hello", num_connections: 1, connection_info: { app_id: "A1" } }));
  });
  const asked = () => messages.find(({ blocks }) => blocks.some(({ type }) => type === "actions"));
  let envelopes = 0;
  const send = (type: string, payload: object) => {
    envelopes += 1;
    const envelope = { envelope_id: `env-${envelopes}`, type, accepts_response_payload: false, payload };
    socket?.send(JSON.stringify(envelope));
  };
  return {
    ...vendor,
    botToken,
    appToken,
    messages,
    acknowledged,
    press(label, user, { channel = "C123" } = {}) {
      const message = asked();
      const button = message?.blocks.flatMap(({ elements = [] }) => elements).find(({ text }) => text.text === label);
      send("interactive", {
        type: "block_actions",
        user: { id: user, username: "ann", team_id: "T1" },
        trigger_id: `trigger-${envelopes}`,
        channel: { id: channel, name: "agents" },
        message: { type: "message", ts: message?.ts, text: message?.text, blocks: message?.blocks },
        actions: [{ ...button, action_ts: `1700000001.00000${envelopes}` }],
      });
    },
    reply(text, user) {
      const thread = asked()?.ts;
      const ts = `1700000009.00000${envelopes}`;
      const event = { type: "message", user, text, ts, thread_ts: thread, channel: "C123", channel_type: "channel" };
      send("events_api", { type: "event_callback", event_id: `Ev${envelopes}`, event });
    },
    disconnect: () => socket?.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" })),
    connections: () => connected,
  };
}

/** Text or blocks, within the limits of Block Kit, and without unescaped control sequences. */
function isValid(body: Readonly<Record<string, unknown>>): boolean {
  const { text, blocks = [] } = body as Partial<SlackMessage>;
  const texts = [text ?? "", ...blocks.map((block) => block.text?.text ?? "")];
  const isBlock = ({ type, text: inner, elements }: SlackBlock) => {
    if (type === "section") return inner?.type === "mrkdwn" && inner.text.length >= 1 && inner.text.length <= 3_000;
    if (type !== "actions" || elements === undefined || elements.length < 1 || elements.length > 25) return false;
    const ids = new Set(elements.map(({ action_id }) => action_id));
    return (
      ids.size === elements.length &&
      elements.every(
        (element) =>
          element.type === "button" &&
          element.text.type === "plain_text" &&
          element.text.text.length <= 75 &&
          element.value.length <= 2_000,
      )
    );
  };
  return texts[0] !== "" && blocks.every(isBlock) && texts.every((each) => !/<[!@#]/.test(each));
}
