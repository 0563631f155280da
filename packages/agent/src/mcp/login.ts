import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { errorText } from "./failure-text.ts";
import { createHttpTransport } from "./http-transport.ts";
import { type McpLogins, oauthProvider, type SavedLogin } from "./logins.ts";
import type { HttpServer } from "./server-config.ts";

export interface LoginOptions {
  readonly logins: McpLogins;
  /** Shows the user the address to open in a browser. */
  readonly show: (url: URL) => void;
  /** Ends the wait for the browser. */
  readonly signal: AbortSignal;
}

/** `not-needed`: the server asks for no login. */
export type LoginResult = "logged-in" | "not-needed";

/**
 * Logs in at a server with OAuth: the user opens an address in a browser, and the browser comes back to a port of this
 * machine. Saves the tokens. Rejects with a sentence if the login fails.
 */
export async function loginToServer(server: HttpServer, { logins, show, signal }: LoginOptions): Promise<LoginResult> {
  const sdk = await import("@modelcontextprotocol/client");
  const state = randomUUID();
  const callback = await listen(state, signal);
  try {
    // The port is another one each time, so the client is registered anew. An earlier login stays until this succeeds.
    const fresh = memoryLogins();
    const dialog = { redirectUrl: callback.url, state, open: show };
    const transport = createHttpTransport(sdk, server, oauthProvider(server.url, fresh, dialog));
    const client = new sdk.Client({ name: "sheepdog", version: "0" }, { capabilities: {} });
    try {
      await client.connect(transport, { signal });
      await client.close();
      await logins.save(server.url, undefined);
      return "not-needed";
    } catch (error) {
      if (!sdk.UnauthorizedError.isInstance(error)) throw new Error(errorText(error), { cause: error });
    }
    const params = await callback.params;
    await transport.finishAuth(params).catch((error: unknown) => {
      throw new Error(errorText(error), { cause: error });
    });
    await transport.close();
    await logins.save(server.url, await fresh.find(server.url));
    return "logged-in";
  } finally {
    callback.close();
  }
}

/** One login, in memory only. */
function memoryLogins(): McpLogins {
  let saved: SavedLogin | undefined;
  return {
    find: async () => saved,
    async save(_url, login) {
      saved = login;
    },
  };
}

interface Callback {
  readonly url: string;
  readonly params: Promise<URLSearchParams>;
  close(): void;
}

/** Waits on a port of the loopback address for the browser. Only an answer with our state counts. */
async function listen(state: string, signal: AbortSignal): Promise<Callback> {
  let close = () => {};
  let server: Server | undefined;
  const params = new Promise<URLSearchParams>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("The login was not finished.")), { once: true });
    server = createServer((request, response) => {
      const [path, query = ""] = (request.url ?? "/").split("?", 2); // "//" is a path here, and not a valid URL
      const searchParams = new URLSearchParams(query);
      const isOurs = path === "/callback" && searchParams.get("state") === state;
      response.writeHead(isOurs ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(isOurs ? "You can close this page and go back to the terminal.\n" : "Not found.\n");
      if (!isOurs) return;
      const refused = searchParams.get("error");
      if (refused === null) resolve(searchParams);
      else reject(new Error(`The server refused the login: ${refused.slice(0, 200)}.`));
    });
    close = () => server?.close();
  });
  params.catch(() => {}); // reported where it is awaited
  await new Promise<void>((resolve, reject) => {
    server?.once("error", reject);
    server?.listen(0, "127.0.0.1", resolve);
  });
  const address = server?.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/callback`, params, close };
}
