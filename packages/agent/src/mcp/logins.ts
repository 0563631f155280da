import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { z } from "zod";
import { checkAddress } from "./check-address.ts";
import { readJsonFile, writeJsonFile } from "./private-file.ts";

/** What a login at a server with OAuth has left: the registered client, its tokens, and where they came from. */
export interface SavedLogin {
  readonly client?: unknown;
  readonly tokens?: unknown;
  readonly discovery?: unknown;
}

/** The logins at servers with OAuth, by the address of the server. */
export interface McpLogins {
  find(url: string): Promise<SavedLogin | undefined>;
  /** `undefined` removes the login. */
  save(url: string, login: SavedLogin | undefined): Promise<void>;
}

const fileSchema = z.object({
  version: z.literal(1),
  logins: z.record(
    z.string(),
    z.object({ client: z.unknown().optional(), tokens: z.unknown().optional(), discovery: z.unknown().optional() }),
  ),
});

/** Opens the logins in a file that only the user can read. */
export function openLogins(path: string): McpLogins {
  const read = async () => {
    const value = await readJsonFile(path);
    if (value === undefined) return {};
    const parsed = fileSchema.safeParse(value);
    if (!parsed.success) throw new Error(`${path} has no valid logins. Remove it, and log in again.`);
    return parsed.data.logins;
  };
  let changing: Promise<void> = Promise.resolve();
  return {
    find: async (url) => (await read())[url],
    save(url, login) {
      const next = changing.then(async () => {
        const { [url]: _, ...others } = await read();
        await writeJsonFile(path, { version: 1, logins: login === undefined ? others : { ...others, [url]: login } });
      });
      changing = next.catch(() => {});
      return next;
    },
  };
}

/** How the user logs in: where the browser comes back to, and what is done with the address that it has to open. */
export interface LoginDialog {
  readonly redirectUrl: string;
  readonly state: string;
  readonly open: (url: URL) => void;
}

/** Refreshes the tokens of an earlier login. A login that is not valid any more is not started again. */
export function savedLogin(url: string, logins: McpLogins | undefined): OAuthClientProvider | undefined {
  if (logins === undefined) return undefined;
  return oauthProvider(url, logins, { redirectUrl: "http://127.0.0.1/callback", state: "", open: () => {} });
}

/** The port of the SDK to the saved logins and to the user. */
export function oauthProvider(
  url: string,
  logins: McpLogins,
  { redirectUrl, state, open }: LoginDialog,
): OAuthClientProvider {
  // As the SDK saved it: only the SDK reads it.
  const part = async (name: keyof SavedLogin): Promise<never> => (await logins.find(url))?.[name] as never;
  const change = async (changes: SavedLogin): Promise<void> =>
    logins.save(url, { ...(await logins.find(url)), ...changes });
  let verifier = "";
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "Sheepdog",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => state,
    clientInformation: () => part("client"),
    saveClientInformation: (client) => change({ client }),
    tokens: () => part("tokens"),
    saveTokens: (tokens) => change({ tokens }),
    discoveryState: () => part("discovery"),
    saveDiscoveryState: (discovery) => change({ discovery }),
    redirectToAuthorization(address) {
      checkAddress(address);
      open(address);
    },
    saveCodeVerifier(code) {
      verifier = code;
    },
    codeVerifier: () => verifier,
    async invalidateCredentials(scope) {
      if (scope === "all") return logins.save(url, undefined);
      if (scope === "verifier") return;
      const { [scope === "discovery" ? "discovery" : scope]: _, ...rest } = (await logins.find(url)) ?? {};
      await logins.save(url, rest);
    },
  };
}
