import { afterEach } from "vitest";
import { startWireServer } from "./start-wire-server.ts";
import type { WireServer } from "./wire-server.ts";

/** Starts servers that are closed after each test of a file. */
export function useWireServer(): typeof startWireServer {
  const servers: WireServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
  return async (turns, options) => {
    const server = await startWireServer(turns, options);
    servers.push(server);
    return server;
  };
}
