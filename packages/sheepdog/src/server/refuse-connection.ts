import type { Duplex } from "node:stream";

/** How long a client may take to read the answer before its connection is destroyed. */
const lingerMs = 500;

/**
 * Answers on a bare socket and closes it. A client that keeps its side open, or resets the connection, keeps nothing:
 * the socket is destroyed soon after the answer. What arrives until then is discarded, since unread bytes would reset
 * the connection before the client has read the answer.
 */
export function refuseConnection(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.on("close", () => clearTimeout(timer));
  socket.on("end", () => socket.destroy());
  socket.resume();
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
