import type { WebSocket } from "ws";

/** An open connection. */
export interface Socket {
  send(message: object): void;
  /** Default: 1,000, a normal end. */
  close(code?: number): void;
}

export interface SocketOptions {
  readonly url: string;
  readonly signal: AbortSignal;
  onOpen?(socket: Socket): void;
  onMessage(message: unknown, socket: Socket): void;
}

/** Why a connection ended. */
export interface Closed {
  readonly code: number;
  /** Set if there was no connection. */
  readonly problem?: string;
}

const pingMs = 30_000;
const maxBytes = 1_000_000;

/** Connects, and resolves when the connection has ended. A silent server is given up after a minute. */
export async function runSocket({ url, signal, onOpen, onMessage }: SocketOptions): Promise<Closed> {
  const { WebSocket } = await import("ws"); // loaded when answers are read
  const socket = new WebSocket(url, { maxPayload: maxBytes, handshakeTimeout: 15_000, followRedirects: false });
  const wrapped: Socket = {
    send: (message) => socket.send(JSON.stringify(message), () => {}), // a failure closes the connection
    close: (code = 1_000) => socket.close(code),
  };
  const abort = () => socket.terminate();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  let problem: string | undefined;
  const heartbeat = keepAlive(socket);
  return new Promise((resolve) => {
    socket.on("open", () => onOpen?.(wrapped));
    socket.on("message", (data) => {
      const message = parseJson(String(data));
      if (message !== undefined) onMessage(message, wrapped);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      problem = error.code ?? "the connection failed";
    });
    socket.on("close", (code) => {
      clearInterval(heartbeat);
      signal.removeEventListener("abort", abort);
      resolve({ code, ...(problem === undefined ? {} : { problem }) });
    });
  });
}

/** Ends a connection on which nothing has arrived between two pings. */
function keepAlive(socket: WebSocket): NodeJS.Timeout {
  let isAlive = true;
  const onSign = () => {
    isAlive = true;
  };
  for (const event of ["message", "pong", "ping", "open"]) socket.on(event, onSign);
  return setInterval(() => {
    if (!isAlive) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
    isAlive = false;
  }, pingMs);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not a message of the protocol
  }
}
