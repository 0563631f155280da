import { createServer } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SendResult } from "../../src/channels/channel-kind.ts";
import type { ChannelSettings } from "../../src/channels/channel-settings.ts";
import { kindOf } from "../../src/channels/kinds/index.ts";
import type { Notice } from "../../src/channels/notice.ts";
import { noticeText } from "../../src/channels/notice-text.ts";
import { testNotice } from "../../src/commands/notify/test-command.ts";
import { startDiscord } from "./discord-server.ts";
import { approval, channelOf, noticeOf, outgoing, requestId } from "./samples.ts";
import { startSlack } from "./slack-server.ts";
import { startTelegram } from "./telegram-server.ts";
import { startVendorServer, type VendorServer } from "./vendor-server.ts";

const never = new AbortController().signal;

async function send(channel: ChannelSettings, notice: Notice, isAnswered = false): Promise<SendResult> {
  const sent = await kindOf(channel.type)?.send(channel, outgoing(notice, isAnswered), never);
  if (sent === undefined) throw new Error(`Expected a kind that is delivered, got ${channel.type}.`);
  return sent;
}

/** What is set up for a kind: its server, and a channel to it. */
interface Case {
  readonly server: VendorServer;
  readonly channel: ChannelSettings;
}

const secret = `whsec_${Buffer.from("a-secret-of-32-bytes-for-hmac-ok").toString("base64")}`;

const cases = {
  webhook: async () => {
    const server = await startVendorServer(() => ({ status: 202, text: "queued" }));
    return { server, channel: channelOf({ type: "webhook", url: `${server.url}/in`, secret }) };
  },
  telegram: async () => {
    const server = await startTelegram();
    const { token } = server;
    return { server, channel: channelOf({ type: "telegram", token, to: "4711", api_url: server.url }) };
  },
  "slack bot": async () => {
    const server = await startSlack();
    const { botToken: token, appToken: app_token } = server;
    const api_url = `${server.url}/api`;
    return { server, channel: channelOf({ type: "slack", token, app_token, to: "C123", api_url }) };
  },
  "slack webhook": async () => {
    const server = await startSlack();
    return { server, channel: channelOf({ type: "slack", url: `${server.url}/services/T1/B1/canary` }) };
  },
  "discord bot": async () => {
    const server = await startDiscord();
    const api_url = `${server.url}/api/v10`;
    return { server, channel: channelOf({ type: "discord", token: server.botToken, to: "998877", api_url }) };
  },
  "discord webhook": async () => {
    const server = await startDiscord();
    return { server, channel: channelOf({ type: "discord", url: `${server.url}/api/webhooks/1/hook-token` }) };
  },
  ntfy: async () => {
    const server = await startVendorServer(({ path, method, body }) => {
      const isMessage = method === "POST" && path === "/" && /^[\w-]{1,64}$/.test(String(body["topic"]));
      const error = { code: 40017, http: 400, error: "invalid request: request body must be message JSON" };
      return isMessage ? { json: { id: "sPs71M8A2T", event: "message" } } : { status: 400, json: error };
    });
    return { server, channel: channelOf({ type: "ntfy", to: "my-agents", token: "tk_canary", api_url: server.url }) };
  },
} as const satisfies Record<string, () => Promise<Case>>;

describe.each(Object.entries(cases))("%s", (_name, setUp) => {
  test("accepts what is sent, and its answer is told", async () => {
    const { channel } = await setUp();
    expect(await send(channel, noticeOf())).toMatchObject({ type: "sent", answer: expect.stringMatching(/\.$/) });
    expect(await send(channel, approval, true)).toMatchObject({ type: "sent" });
  });

  test("accepts the longest notice", async () => {
    const { channel } = await setUp();
    const long = noticeOf({
      sentence: "<&*_`>".repeat(50),
      code: "`<&".repeat(166),
      details: Array.from({ length: 6 }, () => "<&*_`>".repeat(50)),
      command: "x".repeat(400),
      topic: { type: "approval", callId: "c" },
    });
    expect(await send(channel, long, true)).toMatchObject({ type: "sent" });
  });

  test("is tried again after the time that a rate limit names", async () => {
    const { server, channel } = await setUp();
    server.next.push({
      status: 429,
      headers: { "retry-after": "7" },
      json: {
        ...{
          ok: false,
          error_code: 429,
          description: "Too Many Requests: retry after 7",
          parameters: { retry_after: 7 },
        },
        ...{ message: "You are being rate limited.", retry_after: 7, global: false, error: "ratelimited" },
      },
    });
    expect(await send(channel, noticeOf())).toMatchObject({ type: "retry", afterMs: 7_000 });
  });

  test("is tried again if the server fails, hangs up or is silent about why", async () => {
    const { server, channel } = await setUp();
    server.next.push({ status: 502, text: "<html>Bad gateway</html>" }, { status: 503, json: { ok: false } });
    expect(await send(channel, noticeOf())).toMatchObject({ type: "retry" });
    expect(await send(channel, noticeOf())).toMatchObject({ type: "retry" });
  });

  test("is given up if the server refuses it, and no secret is in the sentence", async () => {
    const { server, channel } = await setUp();
    const secrets = Object.values(channel.secrets);
    server.next.push({ status: 403, text: `no, ${secrets.join(" ")} is wrong` });
    const result = await send(channel, noticeOf());
    expect(result).toMatchObject({ type: "refused", problem: expect.stringContaining("answered 403: no, ") });
    for (const value of secrets) expect(JSON.stringify(result)).not.toContain(value);
  });

  test("follows no redirect with its credentials", async () => {
    const { server, channel } = await setUp();
    server.next.push({ status: 307, headers: { location: `${server.url}/elsewhere` } });
    expect(await send(channel, noticeOf())).toMatchObject({ type: "refused" });
    expect(server.to("/elsewhere")).toEqual([]);
  });

  test("does not read an endless answer to its end", async () => {
    const { server, channel } = await setUp();
    server.next.push({ status: 400, text: "x".repeat(5_000_000) });
    const result = await send(channel, noticeOf());
    expect(JSON.stringify(result).length).toBeLessThan(1_000);
  });
});

test("the page of another server, such as the login of a network, is not taken for a delivered message", async () => {
  for (const name of ["telegram", "slack bot", "discord bot", "discord webhook", "ntfy"] as const) {
    const { server, channel } = await cases[name]();
    server.next.push({ text: "<html>Log in to this network</html>" });
    expect(await send(channel, noticeOf()), name).toMatchObject({ type: "retry", problem: expect.any(String) });
  }
});

test("a server that is no ntfy server is not called healthy", async () => {
  const page = await startVendorServer(() => ({ text: "<html></html>" }));
  const channel = channelOf({ type: "ntfy", to: "agents", api_url: page.url });
  expect(await kindOf("ntfy")?.check?.(channel, never)).toMatchObject({ type: "refused" });
});

test("a dead server and one that says no HTTP are tried again", async () => {
  const noise = createServer((socket) => socket.on("error", () => {}).end("220 hello\r\n"));
  await new Promise<void>((resolve) => {
    noise.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void noise.close());
  const { port } = noise.address() as { port: number }; // it listens on a port
  const noisy = channelOf({ type: "telegram", token: "1:x", to: "1", api_url: `http://127.0.0.1:${port}` });
  expect(await send(noisy, noticeOf())).toMatchObject({ type: "retry", problem: expect.stringContaining("cannot be") });
  const dead = channelOf({ type: "ntfy", to: "t", api_url: "http://127.0.0.1:1" });
  expect(await send(dead, noticeOf())).toMatchObject({
    type: "retry",
    problem: expect.stringMatching(/127\.0\.0\.1:1/),
  });
});

test("a silent server is given up when the signal says so", async () => {
  const server = await startVendorServer(() => "hang");
  const abort = new AbortController();
  const channel = channelOf({ type: "ntfy", to: "t", api_url: server.url });
  const sent = kindOf("ntfy")?.send(channel, outgoing(noticeOf()), abort.signal);
  while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  abort.abort();
  expect(await sent).toMatchObject({ type: "retry" });
});

test("a message that is too long keeps the command that continues the run", async () => {
  for (const name of ["telegram", "slack bot", "discord bot"] as const) {
    const { channel, server } = await cases[name]();
    const details = Array.from({ length: 12 }, () => "_*detail*_ ".repeat(40));
    await send(channel, noticeOf({ details, command: "sheepdog run --resume ses_1" }));
    expect(server.requests.at(-1)?.text).toContain("sheepdog run --resume ses_1");
    expect(server.requests.at(-1)?.text).toContain("The login test passes");
  }
});

test("no vendor gets a mention or a link from a text of the agent", async () => {
  for (const name of ["telegram", "slack bot", "discord bot"] as const) {
    const { channel, server } = await cases[name]();
    await send(channel, approval, true);
    const { text } = server.requests.at(-1) ?? { text: "" };
    expect(text).not.toContain("@everyone");
    expect(text).not.toContain("<!here>");
    expect(text).not.toContain("https://evil.example/x");
    expect(text).toContain("git push --force");
  }
});

test("a webhook is signed so that a library of Standard Webhooks accepts it", async () => {
  const { server, channel } = await cases.webhook();
  await send(channel, approval, true);
  const [{ text, headers }] = server.requests as [VendorServer["requests"][number]];
  const verified = new Webhook(secret).verify(text, headers as Record<string, string>);
  expect(verified).toMatchObject({
    type: "sheepdog.approval",
    data: {
      runId: "run_1",
      code: "git push --force && echo '<done>' `x`",
      costUsd: 0.42,
      request: { id: requestId, actions: [{ action: "approve" }, { action: "deny" }, { action: "stop" }] },
    },
  });
  expect(() => new Webhook(secret).verify(`${text} `, headers as Record<string, string>)).toThrow("No matching");
});

test("a webhook names what can be answered to a question of the agent", async () => {
  const { server, channel } = await cases.webhook();
  const topic = { type: "reply", callId: "c", choices: ["80", "8080"] } as const;
  await send(channel, noticeOf({ kind: "question", sentence: "The agent asks: Which port?", topic }), true);
  expect(JSON.parse(server.requests[0]?.text ?? "").data.request.actions).toMatchObject([
    { action: "reply", label: "Reply" },
    { action: "reply", label: "80", text: "80" },
    { action: "reply", label: "8080", text: "8080" },
    { action: "stop", label: "Stop the run" },
  ]);
});

test("a test is marked as one, so that nothing takes it for the end of a run", async () => {
  const { server, channel } = await cases.webhook();
  await send(channel, testNotice());
  expect(JSON.parse(server.requests[0]?.text ?? "").type).toBe("sheepdog.test");
  expect(noticeText(testNotice()).title).toBe("Test · sheepdog");
});

test("the priority of ntfy is highest for what waits for an answer", async () => {
  const { server, channel } = await cases.ntfy();
  await send(channel, approval);
  await send(channel, noticeOf());
  expect(server.requests.map(({ body }) => body["priority"])).toEqual([5, 3]);
  expect(server.requests[0]?.headers.authorization).toBe("Bearer tk_canary");
  expect(server.requests[0]?.body["title"]).toBe("Approval wanted · my-app");
});

test("a wrong token for Slack's answers is found without a message", async () => {
  const { server } = await cases["slack bot"]();
  const { botToken: token, url } = server as Awaited<ReturnType<typeof startSlack>>; // the case starts it
  const wrong = channelOf({ type: "slack", token, app_token: "xapp-wrong", to: "C123", api_url: `${url}/api` });
  expect(await kindOf("slack")?.check?.(wrong, never)).toMatchObject({
    type: "refused",
    problem: expect.stringContaining("Answers cannot be read: Slack refused apps.connections.open: invalid_auth"),
  });
});

test("each kind that can be asked answers without a message", async () => {
  for (const name of ["telegram", "slack bot", "discord bot", "discord webhook"] as const) {
    const { channel, server } = await cases[name]();
    expect(await kindOf(channel.type)?.check?.(channel, never)).toMatchObject({ type: "sent" });
    expect(
      server.to("/sendMessage").length + server.to("/chat.postMessage").length + server.to("/messages").length,
    ).toBe(0);
  }
});
