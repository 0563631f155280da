import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type TestContext, test } from "vitest";
import { keylessFetch } from "./key-safe-fetch.ts";

const key = 'our"own/secret+0123456789';

/** A provider that repeats what it was sent, as proxies do that want to be helpful. */
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
  "the answer %i says nothing of the key, however it is written",
  async (status, context) => {
    const response = await keylessFetch(key)(await echo(context, status), { headers: { "x-api-key": key } });
    expect([response.status, response.headers.get("x-request-id"), response.headers.get("x-echo")]).toEqual([
      Math.min(status, 599),
      "req_1",
      null,
    ]);
    expect(await response.json()).toEqual({ message: "No good: …", url: "/?key=…", sent: "…" });
  },
);

test("an answer that is no failure is handed through as it comes", async (context) => {
  const response = await keylessFetch(key)(await echo(context, 200), { headers: { "x-api-key": key } });
  expect(await response.json()).toMatchObject({ message: `No good: ${key}` });
});

test("without a key, or with one that could be any word, nothing is looked for", async (context) => {
  const url = await echo(context, 500);
  for (const short of [undefined, "k"])
    expect(await (await keylessFetch(short)(url)).text()).toContain("No good: undefined");
});
