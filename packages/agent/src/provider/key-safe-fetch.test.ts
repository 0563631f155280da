import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type TestContext, test } from "vitest";
import { createKeySafeFetch } from "./key-safe-fetch.ts";

const key = 'our"own/secret+0123456789';

/** Starts a provider that repeats what it was sent, as some proxies do in error messages. */
async function echo({ onTestFinished }: Pick<TestContext, "onTestFinished">, status: number): Promise<string> {
  const server = createServer((request, response) => {
    const sent = String(request.headers["x-api-key"]);
    response.writeHead(status, { "x-echo": sent, "x-request-id": "req_1" });
    response.end(
      JSON.stringify({
        message: `No good: ${sent}`,
        url: `/?key=${encodeURIComponent(sent)}`,
        sent: Buffer.from(sent).toString("base64"),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}

test.for([400, 429, 500, 503, 999])(
  "an answer with status %i does not contain the key in any encoding",
  async (status, context) => {
    const response = await createKeySafeFetch(key)(await echo(context, status), { headers: { "x-api-key": key } });
    expect([response.status, response.headers.get("x-request-id"), response.headers.get("x-echo")]).toEqual([
      Math.min(status, 599),
      "req_1",
      null,
    ]);
    expect(await response.json()).toEqual({ message: "No good: …", url: "/?key=…", sent: "…" });
  },
);

test("a successful answer is passed on unchanged", async (context) => {
  const response = await createKeySafeFetch(key)(await echo(context, 200), { headers: { "x-api-key": key } });
  expect(await response.json()).toMatchObject({ message: `No good: ${key}` });
});

test("without a key, or with a very short one, answers are unchanged", async (context) => {
  const url = await echo(context, 500);
  for (const short of [undefined, "k"])
    expect(await (await createKeySafeFetch(short)(url)).text()).toContain("No good: undefined");
});
