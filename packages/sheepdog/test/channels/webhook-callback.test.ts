import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { createSandbox, isBuilt } from "../e2e/sandbox.ts";
import { startVendorServer } from "./vendor-server.ts";

const secret = `whsec_${Buffer.from("another-secret-of-32-bytes-here!").toString("base64")}`;
const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const patient = { timeout: 30_000, interval: 30 };

test.skipIf(!isBuilt)("a program answers with a signed message to sheepdog serve, each once", async (context) => {
  const receiver = await startVendorServer(() => ({ status: 200, text: "ok" }), context);
  const sandbox = await createSandbox(context, [push, { text: "Done." }]);
  const env = { HOOK_SECRET: secret, HOOK_URL: `${receiver.url}/in` };
  await sandbox.configure(`[channels.hook]
type = "webhook"
url_env = "HOOK_URL"
secret_env = "HOOK_SECRET"
answer_from = ["ann"]
`);
  const serving = sandbox.start(["serve", "--no-open", "--port", "0"], { env });
  await serving.says("#token=");
  const running = sandbox.start(["run", "Push it."], { env });
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), patient);
  const [asked] = receiver.requests;
  const verified = new Webhook(secret).verify(asked?.text ?? "", asked?.headers as Record<string, string>) as {
    data: { request: { id: string } };
  };
  const request = verified.data.request.id;
  const origin = /http:\/\/[^/]+/.exec(serving.said())?.[0] ?? "";

  /** Sends an answer as the library of the specification signs it. */
  async function answer(
    body: object,
    more: { id?: string; at?: Date; key?: string; path?: string; headers?: object } = {},
  ) {
    const { id = `msg_${Math.random()}`, at = new Date(), key = secret, path = "/hooks/hook", headers = {} } = more;
    const text = JSON.stringify(body);
    const response = await fetch(`${origin}${path}`, {
      method: "POST",
      body: text,
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
        "webhook-signature": new Webhook(key).sign(id, at, text),
        ...headers,
      },
    });
    return [response.status, ((await response.json()) as { text?: string; problem?: string }).text] as const;
  }

  const approve = { request, action: "approve", sender: "ann" };
  const other = `whsec_${Buffer.from("a-secret-that-is-not-the-right-1").toString("base64")}`;
  expect(await answer(approve, { key: other })).toEqual([401, "The signature is wrong."]);
  expect(await answer(approve, { at: new Date(Date.now() - 600_000) })).toEqual([
    401,
    expect.stringMatching(/too old/),
  ]);
  expect((await answer(approve, { path: "/hooks/none" }))[0]).toBe(404);
  expect((await answer(approve, { headers: { origin: "http://evil.example" } }))[0]).toBe(403);
  expect(await answer({ ...approve, sender: "eve" })).toEqual([409, "You are not among those who may answer here."]);
  expect((await answer({ ...approve, action: "format" }))[0]).toBe(400);
  expect((await answer({ ...approve, action: "continue" }))[0]).toBe(409);
  expect(await answer({ ...approve, text: "looks good" }, { id: "msg_1" })).toEqual([
    200,
    "Approved. The run continues.",
  ]);
  expect(await answer(approve, { id: "msg_1" })).toEqual([409, "This message was received before."]);
  expect(await running.ended).toMatchObject({ code: 0, out: "Done.\n" });
  expect((await answer(approve))[0]).toBe(409);
  const unsigned = await fetch(`${origin}/hooks/hook`, { method: "POST", body: "{}" });
  expect(unsigned.status).toBe(403);
});
