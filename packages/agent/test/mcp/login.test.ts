import { createHash, randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { loginToServer, openLogins } from "../../src/mcp/index.ts";
import { connected, scratch } from "./connected.ts";

const timeout = 60_000;

/** A server with OAuth: it registers clients, checks PKCE, and hands out tokens that expire when the test says so. */
async function oauthServer({ onTestFinished }: TestContext, { authorize }: { readonly authorize?: string } = {}) {
  const codes = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  const valid = new Set<string>();
  const refreshTokens = new Set<string>();
  const grants: string[] = [];
  const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  const tokens = () => {
    const [access, refresh] = [randomUUID(), randomUUID()];
    valid.add(access);
    refreshTokens.add(refresh);
    return { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: 3_600 };
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    const body = await bodyOf(request);
    switch (pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
      case "/.well-known/oauth-protected-resource":
        return json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
      case "/.well-known/oauth-authorization-server":
        return json(response, 200, {
          issuer: origin,
          authorization_endpoint: authorize ?? `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
        });
      case "/register":
        return json(response, 201, { ...JSON.parse(body), client_id: "client-1" });
      case "/authorize": {
        const code = randomUUID();
        const redirect = searchParams.get("redirect_uri") ?? "";
        codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", redirect });
        const back = new URL(redirect);
        back.searchParams.set("code", code);
        back.searchParams.set("state", searchParams.get("state") ?? "");
        return response.writeHead(302, { location: back.href }).end();
      }
      case "/token": {
        const form = new URLSearchParams(body);
        grants.push(form.get("grant_type") ?? "");
        if (form.get("grant_type") === "refresh_token")
          return refreshTokens.delete(form.get("refresh_token") ?? "")
            ? json(response, 200, tokens())
            : json(response, 400, { error: "invalid_grant" });
        const code = codes.get(form.get("code") ?? "");
        const challenge = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        const isValid = code?.challenge === challenge && code.redirect === form.get("redirect_uri");
        return isValid ? json(response, 200, tokens()) : json(response, 400, { error: "invalid_grant" });
      }
      case "/mcp": {
        const token = (request.headers.authorization ?? "").replace("Bearer ", "");
        if (!valid.has(token)) return json(response, 401, {}, { "www-authenticate": "Bearer" });
        if (request.method !== "POST") return response.writeHead(405).end();
        const { id, method, params } = JSON.parse(body);
        if (id === undefined) return response.writeHead(202).end();
        return json(response, 200, { jsonrpc: "2.0", id, result: resultOf(method, params) });
      }
      default:
        return response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return { url: `${origin}/mcp`, grants, expire: () => valid.clear(), revoke: () => refreshTokens.clear() };
}

function resultOf(method: string, params: { readonly protocolVersion: string }): unknown {
  if (method === "tools/call") return { content: [{ type: "text", text: "looked" }] };
  if (method === "tools/list") return { tools: [{ name: "look", inputSchema: { type: "object" } }] };
  const serverInfo = { name: "with-oauth", version: "1" };
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

test("a login in the browser gives tokens, which are refreshed and can be revoked", { timeout }, async (context) => {
  const server = await oauthServer(context);
  const file = join(scratch(context), "logins.json");
  const logins = openLogins(file);
  const config = { name: "docs", transport: { type: "http", url: server.url } } as const;
  const without = await connected(context, [config], { logins });
  expect(without.mcp.status()).toMatchObject([{ state: "needs-login" }]);

  const { signal } = new AbortController();
  const browse = (url: URL) => void fetch(url).then((answer) => answer.text());
  expect(await loginToServer(config.transport, { logins, show: browse, signal })).toBe("logged-in");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { mcp, call } = await connected(context, [config], { logins });
  expect(mcp.status()).toMatchObject([{ state: "ready" }]);
  expect(await call("docs__look")).toEqual({ status: "ok", content: "looked" });

  server.expire();
  expect(await call("docs__look")).toEqual({ status: "ok", content: "looked" });
  expect(server.grants).toEqual(["authorization_code", "refresh_token"]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: 1 });

  server.expire();
  server.revoke();
  expect((await connected(context, [config], { logins })).mcp.status()).toMatchObject([{ state: "needs-login" }]);
});

test("a login that fails leaves the earlier one, and no request ends the wait", { timeout }, async (context) => {
  const server = await oauthServer(context);
  const logins = openLogins(join(scratch(context), "logins.json"));
  const earlier = { tokens: { access_token: "valid" } };
  await logins.save(server.url, earlier);
  const stop = new AbortController();
  const knock = async (url: URL) => {
    const { hostname, port } = new URL(url.searchParams.get("redirect_uri") ?? "");
    const answered = new Promise((resolve) => get({ hostname, port, path: "//" }, resolve));
    expect(await answered).toMatchObject({ statusCode: 404 });
    stop.abort();
  };
  const show = (url: URL) => void knock(url);
  const login = loginToServer({ type: "http", url: server.url }, { logins, show, signal: stop.signal });
  await expect(login).rejects.toThrow("The login was not finished.");
  expect(await logins.find(server.url)).toEqual(earlier);
});

test("the browser opens no address that is neither https nor of this machine", { timeout }, async (context) => {
  const server = await oauthServer(context, { authorize: "http://login.example.org/authorize" });
  const logins = openLogins(join(scratch(context), "logins.json"));
  const { signal } = new AbortController();
  const show = () => expect.unreachable("an address was opened");
  const login = loginToServer({ type: "http", url: server.url }, { logins, show, signal });
  await expect(login).rejects.toThrow("neither https nor on this machine: http://login.example.org.");
});

test("an answer of the browser without our state is ignored", { timeout }, async (context) => {
  const server = await oauthServer(context);
  const logins = openLogins(join(scratch(context), "logins.json"));
  const stop = new AbortController();
  const forge = async (url: URL) => {
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    const answer = await fetch(`${back.href}?code=stolen&state=guessed`);
    if (answer.status === 404) stop.abort();
  };
  const login = loginToServer(
    { type: "http", url: server.url },
    { logins, show: (url) => void forge(url), signal: stop.signal },
  );
  await expect(login).rejects.toThrow("The login was not finished.");
  expect(server.grants).toEqual([]);
});
