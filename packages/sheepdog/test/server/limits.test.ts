import { once } from "node:events";
import { mkdir, symlink } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { connect, Server } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { DatabaseError } from "@sheepdog/agent";
import { describe, expect, test, vi } from "vitest";
import { scratchFolder } from "../scratch-folder.ts";
import { startTestServer } from "./test-server.ts";

const file = scratchFolder();

describe("fault 83: a client cannot exhaust the server", () => {
  test("a body above 1 MB is refused, whether it names its length or not", async (context) => {
    const { api, port, token, request } = await startTestServer(context, await file("home"));
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ token: "x".repeat(1_000_001) });
    const answer = await api("/api/login", { method: "POST", headers, body });
    expect([answer.status, answer.json()]).toEqual([413, { problem: "The body of a request may have 1 MB at most." }]);

    const sent = httpRequest({
      port,
      host: "127.0.0.1",
      path: "/api/login",
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${token}` }, // chunked
    });
    sent.on("error", () => {}); // the server closes the connection
    let sentBytes = 0;
    const chunk = Buffer.alloc(100_000, 32);
    const sendMore = () => {
      do sentBytes += chunk.length;
      while (sentBytes < 1e9 && sent.write(chunk));
    };
    sent.on("drain", sendMore);
    sendMore();
    const [response] = await once(sent, "response");
    expect(response.statusCode).toBe(413);
    expect(sentBytes).toBeLessThan(50_000_000);
    sent.destroy();
    expect((await request("/")).status).toBe(200);
  });

  test("a body that is not JSON, or deep, or has other fields, is a sentence", async (context) => {
    const { api } = await startTestServer(context, await file("home"));
    const post = async (body: string) => {
      const headers = { "content-type": "application/json" };
      const answer = await api("/api/budgets", { method: "POST", headers, body });
      return [answer.status, (answer.json() as { problem: string }).problem];
    };
    expect(await post("")).toEqual([400, expect.stringMatching(/^The body is not JSON: /)]);
    expect(await post("{")).toEqual([400, expect.stringMatching(/^The body is not JSON: /)]);
    expect(await post("[".repeat(400_000))).toEqual([400, expect.stringMatching(/^The body is not /)]);
    expect(await post('{"scope":"year","usd":-1}')).toEqual([
      400,
      expect.stringMatching(/^The body is not valid\. scope: Invalid option.*; usd: Too small/),
    ]);
    expect(await post('{"__proto__":{"scope":"day","usd":1}}')).toEqual([400, expect.stringContaining("scope: ")]);
  });

  test("a query that is not valid names what is wrong", async (context) => {
    const { api } = await startTestServer(context, await file("home"));
    const answer = await api("/api/runs?limit=many");
    expect([answer.status, answer.json()]).toEqual([
      400,
      { problem: expect.stringMatching(/^The query is not valid\. limit: Invalid input: expected number/) },
    ]);
  });

  test("a request whose head does not arrive is ended", async (context) => {
    const { raw, port, request } = await startTestServer(context, await file("home"), { requestMs: 600 });
    const startedAt = Date.now();
    const answers = await Promise.all([
      raw(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`),
      raw(`POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100\r\n`),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect((await request("/")).status).toBe(200);
  });

  test("requests with two lengths or broken headers are refused", async (context) => {
    const { raw, port, request } = await startTestServer(context, await file("home"));
    const head = `POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
    for (const more of [
      "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
      "Content-Length: 2\r\nContent-Length: 3\r\n",
      "Transfer-Encoding: chunked, identity\r\n",
      "Transfer-Encoding : chunked\r\n",
      `X: ${"a".repeat(20_000)}\r\n`,
      "Content-Length: -1\r\n",
      "X: a\nY: b\r\n",
    ])
      expect(await raw(`${head}${more}\r\n{}`)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await request("/")).status).toBe(200);
  });

  test("no path leaves the folder of the pages", async (context) => {
    const { raw, port } = await startTestServer(context, await file("home"));
    for (const path of [
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/%2E%2E%2Fsecret.txt",
      "/..%2fsecret.txt",
      "/assets/..%2f..%2fsecret.txt",
      "/%252e%252e/secret.txt",
      "/..%5csecret.txt",
      "/..\\secret.txt",
      "/assets/..;/secret.txt",
      "/secret.txt%00.js",
      "//etc/passwd",
      "/./index.html",
      "/%",
      "/%ff.js",
      "/.git/config",
      "/assets/",
      "/assets/nothing.js",
      "/etc/passwd.txt",
      "/index.html/foo.js",
      `/${"a".repeat(300)}.js`,
    ]) {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
      expect([path, answer.split(" ")[1]]).toEqual([path, path === "/assets/" ? "200" : "404"]);
      expect(answer).not.toContain("not for the web");
    }
  });

  test("many connections that say nothing do not keep others out", async (context) => {
    const { port, request } = await startTestServer(context, await file("home"), { requestMs: 1_000 });
    const sockets = Array.from({ length: 500 }, () => connect(port, "127.0.0.1").on("error", () => {}));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    expect((await request("/")).status).toBe(200);
    await Promise.all(sockets.map((socket) => (socket.destroyed ? undefined : once(socket.resume(), "close"))));
  });
});

describe("a bare socket is closed by the server", () => {
  const heads = (port: number) => {
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];
    return {
      upgrade: ["GET / HTTP/1.1", `Host: 127.0.0.1:${port}`, ...upgrade, "", ""].join("\r\n"),
      connect: "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
      broken: "\u0016\u0003\u0001 no HTTP\r\n\r\n",
      expectation: `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nExpect: tea\r\n\r\n`,
    };
  };

  test("a client that resets its connection does not end the server", async (context) => {
    const { port, request } = await startTestServer(context, await file("home"));
    for (const head of Object.values(heads(port)))
      for (const waitMs of [0, 2, 20]) {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        await once(socket, "connect");
        socket.write(head);
        await setTimeout(waitMs);
        socket.resetAndDestroy();
      }
    await setTimeout(50);
    expect((await request("/")).status).toBe(200);
  });

  test("a client that keeps its side open keeps no connection", async (context) => {
    const { port } = await startTestServer(context, await file("home"));
    const { expectation: _, ...refused } = heads(port);
    for (const head of Object.values(refused)) {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
      socket.resume().write(head);
      await once(socket, "end");
      const startedAt = Date.now();
      while (!socket.destroyed && Date.now() - startedAt < 5_000) {
        socket.write("x"); // answered with a reset as soon as the server has closed
        await setTimeout(20);
      }
      expect([head, socket.destroyed]).toEqual([head, true]);
    }
  });
});

describe("pages", () => {
  test("every path of the application is the same page; files with a digest are kept", async (context) => {
    const { request } = await startTestServer(context, await file("home"));
    const page = await request("/runs/run_1?x=1");
    expect([page.status, page.text, page.headers["content-type"]]).toEqual([
      200,
      "<!doctype html><title>Sheepdog</title>",
      "text/html; charset=utf-8",
    ]);
    const { etag = "" } = page.headers;
    expect((await request("/", { headers: { "if-none-match": etag } })).status).toBe(304);
    const head = await request("/", { method: "HEAD" });
    expect([head.status, head.text, head.headers["content-type"]]).toEqual([200, "", "text/html; charset=utf-8"]);
    expect((await request("/assets/index-4f2a.js")).headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect((await request("/icon.svg")).headers["cache-control"]).toBe("no-cache");
  });

  test("that cannot be read are a failure without a path of this machine", async (context) => {
    const pagesFolder = await file("odd");
    await mkdir(pagesFolder);
    await symlink("index.html", join(pagesFolder, "index.html"));
    const { request, problems } = await startTestServer(context, await file("home"), { pagesFolder });
    const page = await request("/");
    const problem = "The server failed. The terminal in which the server runs says why.";
    expect([page.status, page.json()]).toEqual([500, { problem }]);
    expect(problems).toEqual([expect.stringMatching(/^\/ failed: Error: ELOOP/)]);
  });

  test("that are not built say how to build them", async (context) => {
    const { request } = await startTestServer(context, await file("home"), { pagesFolder: await file("missing") });
    const page = await request("/");
    expect([page.status, page.text]).toEqual([503, expect.stringContaining("npm run build")]);
  });
});

test("unknown paths and methods of the API are named", async (context) => {
  const { api } = await startTestServer(context, await file("home"));
  const problem = async (path: string, method = "GET") => {
    const answer = await api(path, { method });
    return [answer.status, answer.json()];
  };
  expect(await problem("/api/nothing")).toEqual([404, { problem: "The API has no path /api/nothing." }]);
  expect(await problem("/api/overview", "POST")).toEqual([
    405,
    { problem: "/api/overview answers to GET, not to POST." },
  ]);
  expect(await problem("/api/runs/run_4c")).toEqual([
    404,
    { problem: 'No run begins with "run_4c". It may have been pruned.' },
  ]);
  expect(await problem("/api/runs/run_4c/calls/c1")).toEqual([404, { problem: 'The run "run_4c" has no call "c1".' }]);
});

test("a connection that cannot be accepted does not end the server", async (context) => {
  const listen = vi.spyOn(Server.prototype, "listen");
  context.onTestFinished(() => listen.mockRestore());
  const { request, problems } = await startTestServer(context, await file("home"));
  const server = listen.mock.contexts.at(-1) as Server; // the one that listens
  server.emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" }));
  expect((await request("/")).status).toBe(200);
  expect(problems.join()).toContain("accept EMFILE");
});

test("a database that cannot be used is a sentence for each request, and one on the terminal", async (context) => {
  const { api, problems, testHome } = await startTestServer(context, await file("home"));
  const problem = "The database cannot be used. The terminal in which the server runs says why.";
  const fail = async () => {
    throw new DatabaseError("The database /home/x is broken.", "SQLITE_IOERR");
  };
  Object.assign(testHome.stores.sessions, { list: fail });
  for (const path of ["/api/runs", "/api/runs"]) {
    const answer = await api(path);
    expect([answer.status, answer.json()]).toEqual([503, { problem }]);
  }
  expect(problems).toEqual(["The database /home/x is broken."]);
});
