import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import type { Tool } from "./tool.ts";
import { webFetchTool } from "./web-fetch-tool.ts";

let bench: ToolWorkspace;
let server: Server;
let here = "";
let fetchPage: Tool;
let answer: RequestListener;
beforeEach(async () => {
  bench = await createToolWorkspace();
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  here = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on a port has one
  fetchPage = webFetchTool({ privateHosts: [here], maxBytes: 100_000 });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await bench.remove();
});

const get = (path: string, signal?: AbortSignal) => bench.call(fetchPage, { url: `http://${here}${path}` }, signal);

test("a page is shown as text, and its source is outside", async () => {
  answer = (_, response) =>
    response
      .writeHead(200, { "content-type": "text/html; charset=iso-8859-1" })
      .end(Buffer.from("<h1>Caf\xe9</h1><p>open", "latin1"));
  expect(await get("/")).toEqual({
    status: "ok",
    content: `http://${here}/ (status 200, text/html; charset=iso-8859-1)\n\n# Café\n\nopen`,
    outsideSource: `http://${here}/`,
  });
});

test("JSON stays as it is; error pages are errors with their text", async () => {
  answer = (request, response) =>
    response.writeHead(request.url === "/a" ? 200 : 404, { "content-type": "application/json" }).end('{"a": "<b>"}');
  expect((await get("/a")).content).toContain('{"a": "<b>"}');
  const missing = await get("/b");
  expect(missing.status).toBe("error");
  expect(missing.content).toContain("status 404");
});

test("binary content is not shown", async () => {
  answer = (_, response) => response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(10));
  expect((await get("/x.png")).content).toBe(`http://${here}/x.png is not text: image/png, 10 bytes.`);
});

test("an endless page and a zip bomb are cut off", async () => {
  answer = (request, response) => {
    response.writeHead(200, {
      "content-type": "text/plain",
      ...(request.url === "/zip" ? { "content-encoding": "gzip" } : {}),
    });
    if (request.url === "/zip") return response.end(gzipSync(Buffer.alloc(50_000_000, "x")));
    const more = () => {
      while (!response.destroyed && response.write("y".repeat(65_536)));
      if (!response.destroyed) response.once("drain", more);
    };
    return more();
  };
  for (const path of ["/endless", "/zip"]) {
    const { content } = await get(path);
    expect(content.length).toBeLessThan(101_000);
    expect(content).toContain("[the page is longer: the rest was left out]");
  }
});

test("redirects on the same host are followed, others reported, endless ones stopped", async () => {
  answer = (request, response) => {
    const to = {
      "/a": "/b",
      "/out": "https://example.org/secret?x=1",
      "/circle": "/circle",
      "/file": "file:///etc/passwd",
      "/meta": "http://169.254.169.254/latest",
    }[request.url ?? ""];
    return to === undefined
      ? response.writeHead(200, { "content-type": "text/plain" }).end("here")
      : response.writeHead(302, { location: to }).end();
  };
  expect((await get("/a")).content).toContain(`http://${here}/b (status 200`);
  expect((await get("/out")).content).toContain(
    "redirects to another host: https://example.org/secret?x=1. It was not followed",
  );
  expect((await get("/circle")).content).toContain("more than 5 redirects");
  expect((await get("/file")).content).toContain("Only http and https");
  expect((await get("/meta")).content).toContain("It was not followed");
});

test.each([
  "http://localhost:1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f.0.0.1/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://169.254.169.254/latest/meta-data",
  "http://10.0.0.1/",
  "http://0/",
])("%s is refused because it is not public", async (url) => {
  const { status, content } = await bench.call(webFetchTool(), { url });
  expect(status).toBe("error");
  expect(content).toContain("on this machine or a private network");
});

test.each([
  "file:///etc/passwd",
  "ftp://example.org",
  "javascript:1",
  "not an address",
  "http://user:pass@example.org/",
  "gopher://x",
])("%s cannot be fetched", async (url) => {
  const { status, content } = await bench.call(webFetchTool(), { url });
  expect(status).toBe("error");
  expect(content).not.toContain("pass@");
});

test("an abort ends the wait for a server that never answers or never ends", async () => {
  for (const start of [false, true]) {
    const controller = new AbortController();
    answer = (_, response) => {
      if (start) response.writeHead(200, { "content-type": "text/plain" }).write("begin");
      setImmediate(() => controller.abort());
    };
    expect((await get("/", controller.signal)).status).toBe("interrupted");
  }
});

test("a broken connection is an error", async () => {
  answer = (_, response) => response.destroy();
  expect(await get("/")).toEqual({ status: "error", content: `http://${here}/: the host closed the connection.` });
});
