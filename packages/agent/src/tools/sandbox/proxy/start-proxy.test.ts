import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createProxy, startProxy } from "./start-proxy.ts";

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Socket) => sockets.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port; // it listens on a port
}

/** A moment that a test waits for. */
function createMoment(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach };
}

function send(port: number, ...lines: readonly string[]): Socket {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.write(lines.map((line) => `${line}\r\n`).join(""));
  return socket;
}

test.each(["CONNECT", "GET"])("a client that leaves during the check of a %s leaves no connection", async (method) => {
  const open = new Set<Socket>();
  const upstream = await listen(
    createServer((socket) => void open.add(socket.once("close", () => open.delete(socket)).resume())),
  );
  const asked = createMoment();
  const answer = createMoment();
  const proxy = createProxy([], async () => {
    asked.reach();
    await answer.reached;
    return { isAllowed: true, address: "127.0.0.1", port: upstream };
  });
  const target = method === "GET" ? `http://127.0.0.1:${upstream}/` : `127.0.0.1:${upstream}`;
  const client = send(await listen(proxy), `${method} ${target} HTTP/1.1`, "Host: x", "");
  await asked.reached;
  client.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  answer.reach();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await vi.waitFor(() => expect(open.size).toBe(0));
});

test("a server that breaks off ends the answer", async () => {
  const upstream = await listen(
    createServer((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart", () => socket.destroy());
      });
    }),
  );
  const proxy = await listen(createProxy([`127.0.0.1:${upstream}`]));
  const client = send(proxy, `GET http://127.0.0.1:${upstream}/ HTTP/1.1`, "Host: x", "");
  let received = "";
  client.on("data", (chunk: Buffer) => (received += chunk.toString()));
  await once(client, "close");
  expect(received).toContain("part");
});

test("a client that leaves ends the request to the server", async () => {
  const ended = createMoment();
  const started = createMoment();
  const upstream = await listen(
    createHttpServer((_, response) => {
      response.once("close", ended.reach).write("part");
      started.reach();
    }),
  );
  const proxy = await listen(createProxy([`127.0.0.1:${upstream}`]));
  const client = send(proxy, `GET http://127.0.0.1:${upstream}/ HTTP/1.1`, "Host: x", "");
  await started.reached;
  client.destroy();
  await ended.reached;
});

test("a proxy that could not be started is tried again", async () => {
  vi.stubEnv("TMPDIR", "/missing");
  await expect(startProxy(["again.example.org"])).rejects.toThrow("ENOENT");
  vi.unstubAllEnvs();
  expect(await startProxy(["again.example.org"])).toMatch(/proxy\.sock$/);
});
