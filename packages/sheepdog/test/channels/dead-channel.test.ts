import { readdir } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createSandbox, isBuilt, type Sandbox } from "../e2e/sandbox.ts";
import { startTelegram } from "./telegram-server.ts";
import { startVendorServer } from "./vendor-server.ts";

const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const wait = { calls: [{ tool: "bash", input: { command: "sleep 60" } }] };
const done = { text: "Done." };
const patient = { timeout: 40_000, interval: 50 };

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function outbox({ home }: Sandbox): Promise<readonly string[]> {
  const files = await readdir(join(home, "channels/outbox"), { recursive: true }).catch(() => []);
  return files.filter((name) => name.endsWith(".json"));
}

describe.skipIf(!isBuilt).concurrent("a channel whose server", () => {
  test("is dead fails no run, and its message waits with the reason", async (context) => {
    const sandbox = await createSandbox(context, [done]);
    const port = await closedPort();
    await sandbox.configure(`[channels.push]\ntype = "ntfy"\nto = "agents"\napi_url = "http://127.0.0.1:${port}"\n`);
    expect(await sandbox.run(["run", "Do it."])).toMatchObject({
      code: 0,
      out: "Done.\n",
      err: expect.not.stringContaining("ntfy"),
    });
    await vi.waitFor(
      async () =>
        expect((await sandbox.run(["notify", "list"])).out).toMatch(
          /ntfy to agents\n.*\n {2}1 message waiting\n {2}problem: 127\.0\.0\.1:\d+ refuses connections\.\n$/,
        ),
      patient,
    );
    await sandbox.configure(""); // the process that delivers keeps what it was given
    expect(await outbox(sandbox)).toHaveLength(1);
  });

  test("is dead does not keep a run that has to ask: the call is refused after some attempts", async (context) => {
    const sandbox = await createSandbox(context, [push, done]);
    const port = await closedPort();
    await sandbox.configure(
      `[channels.phone]
type = "telegram"
token = "1:x"
to = "1"
answer_from = ["1"]
` +
        `api_url = "http://127.0.0.1:${port}"
`,
    );
    expect(await sandbox.run(["run", "Push it."])).toMatchObject({ code: 0, out: "Done.\n" });
    const results = JSON.stringify(sandbox.server.requests.at(-1)?.body);
    expect(results).toContain(`nobody could be asked: 127.0.0.1:${port} refuses connections`);
    await vi.waitFor(async () => expect(await outbox(sandbox)).toHaveLength(1), patient); // the end, not the question
  });

  test("was away gets the messages when it is back, as one", async (context) => {
    const server = await startVendorServer(() => ({ json: { id: "1" } }), context);
    server.next.push({ status: 503 }, { status: 429, headers: { "retry-after": "1" } });
    const sandbox = await createSandbox(context, [done]);
    await sandbox.configure(`[channels.push]\ntype = "ntfy"\nto = "agents"\napi_url = "${server.url}"\n`);
    await sandbox.run(["run", "Do it."]);
    await vi.waitFor(() => expect(server.requests).toHaveLength(3), patient);
    await vi.waitFor(async () => expect(await outbox(sandbox)).toEqual([]), patient);
  });
});

describe.skipIf(!isBuilt).concurrent("a run does not wait for an answer", () => {
  const askUser = { calls: [{ tool: "ask_user", input: { question: "Which port?", choices: ["8080", "8081"] } }] };

  test.for([
    { events: ["halt", "end"], call: push, result: "There is no user to approve it." },
    { events: ["question"], call: push, result: "nobody could be asked: no channel with answer_from got the question" },
    { events: ["approval"], call: askUser, result: "The user gave no answer." },
  ])("if no channel that takes answers gets the question: $events", async ({ events, call, result }, context) => {
    const telegram = await startTelegram(context);
    const sandbox = await createSandbox(context, [call, done]);
    await sandbox.configure(
      `[channels.phone]
type = "telegram"
token = "${telegram.token}"
to = "7"
answer_from = ["7"]
events = ${JSON.stringify(events)}
api_url = "${telegram.url}"
`,
    );
    const { code, out, err } = await sandbox.run(["run", "Push it."]);
    expect([code, out]).toEqual([0, "Done.\n"]);
    expect(err).not.toContain("waiting");
    expect(JSON.stringify(sandbox.server.requests.at(-1)?.body)).toContain(result);
  });
});

describe.skipIf(!isBuilt).concurrent("kill -9 of a run", () => {
  test("loses no message that was written, and people are told that it ended", async (context) => {
    const telegram = await startTelegram(context);
    const sandbox = await createSandbox(context, [wait, done]);
    await sandbox.configure(
      `[channels.phone]
type = "telegram"
token = "${telegram.token}"
to = "7"
events = ["start", "end"]
` +
        `api_url = "${telegram.url}"
`,
    );
    const running = sandbox.start(["run", "--stream-json", "Wait for it."]);
    await running.says('"ToolStart"');
    await vi.waitFor(() => expect(telegram.messages).toHaveLength(1), patient);
    expect(telegram.messages[0]?.text).toContain("Started: Wait for it");
    running.child.kill("SIGKILL");
    await vi.waitFor(() => expect(telegram.messages).toHaveLength(2), patient);
    expect(telegram.messages[1]?.text).toMatch(
      /Its process ended before it was done: Wait for it\n<pre>sheepdog run --resume ses_\w+<\/pre>/,
    );
    const left = await readdir(join(sandbox.home, "channels/runs"));
    expect(left.filter((name) => name.endsWith(".json"))).toEqual([]);
  });
});
