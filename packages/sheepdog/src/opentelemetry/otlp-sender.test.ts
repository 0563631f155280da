import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createOtlpSender } from "./otlp-sender.ts";

/** A sender to a server that answers by `listener`. */
async function senderTo(listener: RequestListener, more: { readonly timeoutMs?: number } = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const target = { url, headers: { "x-key": "k" }, timeoutMs: 10_000, isCompressed: false, tls: {}, ...more };
  const sender = createOtlpSender(target, "http/protobuf");
  onTestFinished(() => sender.close());
  return sender;
}

const data = new Uint8Array([1, 2, 3]);

test("data is sent with its headers, again if the collector is busy, and not if it refuses", async () => {
  const seen: string[] = [];
  const statuses = [503, 200, 400];
  const sender = await senderTo((request, response) => {
    seen.push(`${request.method} ${request.headers["content-type"]} ${request.headers["x-key"]}`);
    response.writeHead(statuses[seen.length - 1] ?? 500).end();
  });
  expect(await sender.send(data)).toBeUndefined();
  expect(await sender.send(data)).toBe("status 400");
  expect(seen).toEqual(Array.from({ length: 3 }, () => "POST application/x-protobuf k"));
});

test("nothing is sent again once the retries are stopped, not even after a wait has begun", async () => {
  let count = 0;
  const sender = await senderTo((_request, response) => {
    count += 1;
    response.writeHead(429, { "retry-after": "60" }).end();
    setImmediate(() => sender.stopRetries());
  });
  expect(await sender.send(data)).toBe("status 429");
  expect(await sender.send(data)).toBe("status 429");
  expect(count).toBe(2);
});

test("a collector that does not answer is given up after the timeout, and at once when the sender closes", async () => {
  const sender = await senderTo(() => {}, { timeoutMs: 50 });
  sender.stopRetries();
  expect(await sender.send(data)).toBe("no answer in time");
  const other = await senderTo(() => {});
  const sending = other.send(data);
  other.close();
  expect(await sending).toMatch(/no answer in time|ECONNRESET/);
});

test("a flood as an answer, a redirect and a header that cannot be sent do no harm", async () => {
  const flooding = await senderTo((_request, response) => {
    response.writeHead(200);
    const more = () => response.writable && response.write("x".repeat(65_536), more);
    more();
  });
  expect(await flooding.send(data)).toBeUndefined();
  const redirecting = await senderTo((_request, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
  });
  expect(await redirecting.send(data)).toBe("status 302");
  const target = {
    url: "http://127.0.0.1:9/",
    headers: { "x-key": "line\nbreak" },
    timeoutMs: 100,
    isCompressed: false,
    tls: {},
  };
  expect(await createOtlpSender(target, "http/json").send(data)).toMatch(/ERR_INVALID_CHAR/);
});
