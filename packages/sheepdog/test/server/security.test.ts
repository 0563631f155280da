import { describe, expect, test } from "vitest";
import { scratchFolder } from "../scratch-folder.ts";
import { type RequestOptions, startTestServer } from "./test-server.ts";

const file = scratchFolder();
const json = { "content-type": "application/json" };

describe("fault 81: a request that another site may have caused is refused before any handler", () => {
  test("by its host", async (context) => {
    const { request, raw, port, token } = await startTestServer(context, await file("home"));
    const hosts = ["evil.com", `evil.com:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`, `localhost.evil.com:${port}`];
    for (const host of [...hosts, `127.0.0.1:${port}@evil.com`, `127.0.0.1:0${port}`, `LOCALHOST:${port}`])
      for (const path of ["/", "/api/overview", "/api/nothing"]) {
        const answer = await request(path, { headers: { host, authorization: `Bearer ${token}` } });
        expect([host, answer.status]).toEqual([host, 403]);
      }
    expect((await request("/", { headers: { host: "evil.com" } })).json()).toEqual({
      problem: '"evil.com" is not the host of this server. Open the address it printed, with its port.',
    });
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect([host, (await request("/", { headers: { host } })).status]).toEqual([host, 200]);
    const twice = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.com\r\nConnection: close\r\n\r\n`;
    expect(await raw(twice)).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(await raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw("GET / HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 40[03] /);
    const absolute = `GET http://evil.com/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    expect(await raw(absolute)).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("by its origin", async (context) => {
    const { api, origin, port } = await startTestServer(context, await file("home"));
    const origins = [
      "null",
      "http://evil.com",
      `http://localhost.evil.com:${port}`,
      "http://localhost:3000",
      "http://127.0.0.1",
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`, // of this server, but not of the host that was asked
      "",
    ];
    for (const other of origins)
      for (const method of ["GET", "HEAD", "POST", "OPTIONS", "DELETE"]) {
        const answer = await api("/api/stop-all", { method, headers: { ...json, origin: other }, body: "" });
        expect([other, method, answer.status]).toEqual([other, method, 403]);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
    const own = await api("/api/stop-all", { method: "POST", headers: { ...json, origin }, body: "{}" });
    expect([own.status, own.json()]).toEqual([200, { isDone: true, text: "No run is running.", runId: null }]);
  });

  test("by Sec-Fetch-Site; a link may open a page, but not the API", async (context) => {
    const { api } = await startTestServer(context, await file("home"));
    const status = async (path: string, site: string, more: Record<string, string> = {}) =>
      (await api(path, { headers: { "sec-fetch-site": site, ...more } })).status;
    const opened = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const framed = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
    expect(await status("/api/openapi.json", "cross-site")).toBe(403);
    expect(await status("/api/openapi.json", "same-site")).toBe(403);
    expect(await status("/api/openapi.json", "cross-site", opened)).toBe(403);
    for (const path of [
      "/%61pi/openapi.json",
      "/a%70i/openapi.json",
      "/%41PI/openapi.json",
      "/api%2fopenapi.json",
      "/%",
    ])
      expect([path, await status(path, "cross-site", opened)]).toEqual([path, 403]);
    expect(await status("/api/openapi.json", "same-origin")).toBe(200);
    expect(await status("/api/openapi.json", "none")).toBe(200);
    expect(await status("/runs/run_1", "cross-site", opened)).toBe(200);
    expect(await status("/runs/run_1", "cross-site", framed)).toBe(403);
    expect(await status("/assets/index-4f2a.js", "cross-site", { "sec-fetch-mode": "no-cors" })).toBe(403);
  });

  test("a POST without an origin needs the token, so a form cannot send one", async (context) => {
    const { request, api } = await startTestServer(context, await file("home"));
    const post: RequestOptions = { method: "POST", headers: json, body: "{}" };
    expect((await request("/api/stop-all", post)).status).toBe(403);
    expect((await request("/api/login", post)).status).toBe(403);
    expect((await api("/api/stop-all", post)).status).toBe(200);
  });

  test("a POST that is not JSON is refused", async (context) => {
    const { api, origin } = await startTestServer(context, await file("home"));
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]) {
      const headers = { origin, ...(type === "" ? {} : { "content-type": type }) };
      const answer = await api("/api/stop-all", { method: "POST", headers, body: "{}" });
      expect([type, answer.status, answer.json()]).toEqual([
        type,
        415,
        { problem: "Send the body as JSON, with Content-Type: application/json." },
      ]);
    }
  });

  test("other methods and upgrades to a WebSocket are refused", async (context) => {
    const { api, raw, port } = await startTestServer(context, await file("home"));
    for (const method of ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"])
      expect([method, (await api("/api/runs", { method })).status]).toEqual([method, 405]);
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"];
    const head = [`GET /api/stream HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...upgrade, "", ""].join("\r\n");
    expect(await raw(head)).toMatch(/^HTTP\/1\.1 403 /);
    expect((await api("/api/runs", { method: "HEAD" })).text).toBe("");
    expect((await api("/api/stream", { method: "HEAD" })).status).toBe(405);
  });
});

test("every answer has the headers that keep pages harmless", async (context) => {
  const { request, api } = await startTestServer(context, await file("home"));
  const answers = [
    await request("/"),
    await request("/nothing.txt"),
    await request("/api/runs"),
    await api("/api/openapi.json"),
    await request("/", { headers: { host: "evil.com" } }),
  ];
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
  expect(answers.map(({ status, headers }) => [status, headers["cache-control"]])).toEqual([
    [200, "no-cache"],
    [404, "no-store"],
    [401, "no-store"],
    [200, "no-store"],
    [403, "no-store"],
  ]);
});

test("fault 77: ids that are no ids are unknown, whatever they contain", async (context) => {
  const { api, testHome } = await startTestServer(context, await file("home"));
  await testHome.runPrompt("ses_a", "Say.", [{ text: "Done." }]);
  for (const id of [
    "*",
    "%2e%2e%2fx",
    "..%2fx",
    "a".repeat(4_000),
    "%1b%5b2J",
    "%00",
    "__proto__",
    "'; drop table",
    "%",
  ])
    for (const rest of ["", "/events", "/what-if", "/calls/x"]) {
      const answer = await api(`/api/runs/${id.replaceAll(" ", "%20")}${rest}`);
      expect([id, rest, answer.status]).toEqual([id, rest, 404]);
      expect(answer.text).not.toContain("\u001b");
    }
});

test("fault 80: what a model writes is data of a JSON document, and never a page", async (context) => {
  const { api, testHome } = await startTestServer(context, await file("home"));
  const text =
    "</script><script>alert(1)</script><img src=http://evil.com/x onerror=alert(1)> [x](javascript:alert(1))";
  const { runId } = await testHome.runPrompt("ses_a", text, [{ text }]);
  for (const path of ["/api/runs", `/api/runs/${runId}`, `/api/runs/${runId}/events`, "/api/feed"]) {
    const { status, headers, text: body } = await api(path);
    expect([path, status, headers["content-type"]]).toEqual([path, 200, "application/json"]);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(() => JSON.parse(body)).not.toThrow();
  }
});
