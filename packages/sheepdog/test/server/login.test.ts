import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCredentials, newSecret, sessionMs } from "../../src/server/security/credentials.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { openTestHome } from "../test-home.ts";
import { serveTestHome, startTestServer, type TestServer } from "./test-server.ts";

const file = scratchFolder();
const path = "/api/openapi.json";

function login({ request, origin }: TestServer, token: string, more: object = {}) {
  return request("/api/login", {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ token, ...more }),
  });
}

async function cookieOf(server: TestServer): Promise<string> {
  const [cookie = ""] = (await login(server, server.token)).headers["set-cookie"] ?? [];
  return cookie;
}

describe("fault 82: the API is for those who have the token", () => {
  test("without a token there is no document, and the sentence says how to get one", async (context) => {
    const { request, token, port } = await startTestServer(context, await file("home"));
    const wrong = [
      {},
      { authorization: "Bearer" },
      { authorization: `Bearer ${newSecret()}` },
      { authorization: `Bearer ${token}x` },
      { authorization: `Basic ${token}` },
      { cookie: `sheepdog_${port}=${token}` },
      { cookie: `sheepdog_${port}=` },
      { cookie: `sheepdog_${port + 1}=${token}` },
      { referer: `http://127.0.0.1:${port}/#token=${token}` },
      { "x-role": "admin" },
    ];
    for (const headers of wrong)
      for (const target of [path, `${path}?token=${token}`, "/api/nothing", "/api/stream"])
        expect([headers, (await request(target, { headers })).status]).toEqual([headers, 401]);
    expect((await request(path)).json()).toEqual({
      problem: "This page has no valid token. Run `sheepdog serve` again and open the address it prints.",
    });
    expect((await request(path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  test("the token is traded for a strict cookie that does not contain it", async (context) => {
    const server = await startTestServer(context, await file("home"));
    const cookie = await cookieOf(server);
    expect(cookie).toMatch(
      new RegExp(`^sheepdog_${server.port}=[\\w.-]{60,}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000$`),
    );
    expect(cookie).not.toContain(server.token);
    const [value = ""] = cookie.split(";");
    expect((await server.request(path, { headers: { cookie: value } })).status).toBe(200);
    expect((await server.request(path, { headers: { cookie: `other=1; ${value}` } })).status).toBe(200);
    expect((await server.request(path, { headers: { cookie: `${value.slice(0, -2)}AA` } })).status).toBe(401);
    expect(await cookieOf(server)).not.toBe(cookie);
  });

  test("another token, or a role that the client declares, is refused", async (context) => {
    const server = await startTestServer(context, await file("home"));
    for (const token of ["x", newSecret(), `${server.token} `, server.token.toLowerCase()]) {
      const answer = await login(server, token, { role: "owner" });
      expect([token, answer.status, answer.headers["set-cookie"]]).toEqual([token, 401, undefined]);
    }
    expect((await login(server, "")).json()).toEqual({
      problem: expect.stringMatching(/^The body is not valid\. token: /),
    });
  });

  test("a browser stays logged in when the server is restarted, and needs no new token", async (context) => {
    const testHome = await openTestHome(await file("home"));
    context.onTestFinished(() => testHome.close());
    const first = await serveTestHome(context, testHome);
    const [cookie = ""] = (await cookieOf(first)).split(";");
    await first.close();
    const second = await serveTestHome(context, testHome, { port: first.port });
    expect(second.token).not.toBe(first.token);
    expect((await second.request(path, { headers: { cookie } })).status).toBe(200);
    expect((await second.request(path, { headers: { authorization: `Bearer ${first.token}` } })).status).toBe(401);
    expect((await login(second, first.token)).status).toBe(401);
  });

  test("--new-token logs all browsers out", async (context) => {
    const testHome = await openTestHome(await file("home"));
    context.onTestFinished(() => testHome.close());
    const first = await serveTestHome(context, testHome);
    const [cookie = ""] = (await cookieOf(first)).split(";");
    await first.close();
    const second = await serveTestHome(context, testHome, { port: first.port, newToken: true });
    expect((await second.request(path, { headers: { cookie } })).status).toBe(401);
    expect((await login(second, second.token)).status).toBe(200);
  });

  test("the key and the token are in a file that only its owner can read", async (context) => {
    const server = await startTestServer(context, await file("home"));
    const serveFile = join(server.testHome.home.dir, "serve.json");
    expect((await stat(serveFile)).mode & 0o777).toBe(0o600);
    const { key, servers } = JSON.parse(await readFile(serveFile, "utf8"));
    const [entry] = servers;
    expect(entry).toEqual({
      pid: process.pid,
      host: "127.0.0.1",
      port: server.port,
      token: server.token,
      startedAt: expect.any(Number),
    });
    await server.close();
    expect(JSON.parse(await readFile(serveFile, "utf8"))).toEqual({ key, servers: [] });
  });
});

test("a session ends after thirty days, and with another key", () => {
  const key = newSecret();
  const credentials = createCredentials({ token: newSecret(), key });
  const session = credentials.newSession(1_000);
  const at = 1_000 + sessionMs;
  expect([at - 1, at].map((time) => credentials.isSession(session, time))).toEqual([true, false]);
  const [, ...rest] = session.split(".");
  const younger = [Number(1e12).toString(36), ...rest].join(".");
  expect(["", ".", "..", younger, rest.join(".")].map((value) => credentials.isSession(value, 2_000))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(createCredentials({ token: "", key: newSecret() }).isSession(session, 2_000)).toBe(false);
});
