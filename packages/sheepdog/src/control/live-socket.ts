import { join } from "node:path";

/** Some systems allow 104 bytes for the path of a socket, and the last must be 0. */
const MAX_PATH_BYTES = 100;

/** The path of the socket on which a run offers its events; undefined if it is too long for a socket. */
export function liveSocketPath(messagesFolder: string): string | undefined {
  const path = join(messagesFolder, "events.sock");
  return Buffer.byteLength(path) > MAX_PATH_BYTES ? undefined : path;
}
