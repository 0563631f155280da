import { afterEach } from "vitest";
import { startWireServer } from "./start-wire-server.ts";
import type { WireServer } from "./wire-server.ts";

/** Returns a function that starts servers; all of them are closed after each test. */
export function useWireServer(): typeof startWireServer {
  const servers: WireServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
  return async (turns, options) => {
    const server = await startWireServer(turns, options);
    servers.push(server);
    return server;
  };
}
