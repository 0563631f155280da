import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { DatabaseError } from "@sheepdog/agent";
import { loginSchema, type Route, routes, streamQuerySchema } from "@sheepdog/web/contract";
import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import type { ApiRequest, Handlers } from "./handlers.ts";
import type { HookHandler } from "./hook-handler.ts";
import { pageAnswer } from "./pages/static-pages.ts";
import { check, readBody, readText } from "./read-request.ts";
import { type Credentials, sessionMs } from "./security/credentials.ts";
import type { Refusal } from "./security/refuse-request.ts";
import type { StreamHub } from "./stream/stream-hub.ts";

/** What the application is built from. */
export interface AppOptions {
  readonly handlers: Handlers;
  readonly hub: StreamHub;
  readonly credentials: Credentials;
  readonly openApi: () => object;
  /** The folder of the built pages. */
  readonly pagesFolder: string;
  /** Answers a signed message of another program. Absent: there is no such path. */
  readonly onHook?: HookHandler | undefined;
  readonly port: () => number;
  readonly now: () => number;
  /** Called for a failure of this program. */
  readonly onError: (error: unknown, path: string) => void;
}

type AppContext = Context<{ Bindings: HttpBindings }>;

/** The application behind the checks of `Host` and `Origin`: the API, which needs the token, and the pages. */
export function createApp(options: AppOptions): ReturnType<typeof getRequestListener> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use("/api/*", async (context, next) => {
    context.header("Cache-Control", "no-store");
    if (context.req.path === routes.login.path || isKnown(context, options)) return next();
    return refuse(context, {
      status: 401,
      problem: "This page has no valid token. Run `sheepdog serve` again and open the address it prints.",
    });
  });
  addLogin(app, options);
  addStream(app, options);
  addHandlers(app, options);
  app.get("/api/openapi.json", (context) => context.json(options.openApi()));
  addHooks(app, options);
  app.all("/api/*", (context) => refuse(context, unknownRoute(context)));
  app.get("*", (context) => answerPage(context, options));
  app.all("*", (context) => refuse(context, { status: 405, problem: "Pages can only be read." }));
  app.onError((error, context) => {
    options.onError(error, context.req.path);
    // The reason may name files of this machine: it is written to the terminal only.
    const isDatabase = error instanceof DatabaseError;
    const what = isDatabase ? "The database cannot be used." : "The server failed.";
    const problem = `${what} The terminal in which the server runs says why.`;
    return refuse(context as AppContext, { status: isDatabase ? 503 : 500, problem });
  });
  return getRequestListener(app.fetch, { overrideGlobalObjects: false });
}

type App = Hono<{ Bindings: HttpBindings }>;

function addLogin(app: App, { credentials, port, now }: AppOptions): void {
  app.post(routes.login.path, async (context) => {
    const body = await readBody(context.env.incoming, loginSchema);
    if (!body.ok) return refuse(context, body);
    if (!credentials.acceptLogin(body.value.token, now()))
      return refuse(context, {
        status: 401,
        problem: "This token is not valid any more. Run `sheepdog serve` again and open the address it prints.",
      });
    const attributes = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${sessionMs / 1_000}`;
    context.header("Set-Cookie", `${cookieName(port())}=${credentials.newSession(now())}; ${attributes}`);
    return context.json({});
  });
}

function addStream(app: App, { hub }: AppOptions): void {
  app.get(routes.stream.path, async (context) => {
    if (context.req.method === "HEAD") return refuse(context, unknownRoute(context));
    const lastId = context.req.header("Last-Event-ID") ?? "";
    const asked = { ...context.req.query(), ...(lastId === "" ? {} : { after: lastId }) };
    const query = check(streamQuerySchema, asked, "The query");
    if (!query.ok) return refuse(context, query);
    const { session: sessionId, after, live: isLive } = query.value;
    const isConnected = await hub.connect(context.env.outgoing, { sessionId, after, isLive });
    if (isConnected) return RESPONSE_ALREADY_SENT;
    return refuse(context, { status: 503, problem: "Too many pages follow this server. Close some of them." });
  });
}

function addHandlers(app: App, { handlers }: AppOptions): void {
  for (const name of Object.keys(handlers) as (keyof Handlers)[]) {
    const { method, path, query: querySchema, body: bodySchema }: Route = routes[name];
    // Query and body have passed the schemas of this route.
    const handler = handlers[name] as (request: ApiRequest<never>) => Promise<object | undefined>;
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), async (context) => {
      const { id = "", callId = "" } = context.req.param() as Record<string, string>;
      const query = check(querySchema ?? z.unknown(), context.req.query(), "The query");
      if (!query.ok) return refuse(context, query);
      const body = bodySchema === undefined ? undefined : await readBody(context.env.incoming, bodySchema);
      if (body !== undefined && !body.ok) return refuse(context, body);
      const request = { params: { id, callId }, query: query.value, body: body?.value };
      const document = await handler(request as unknown as ApiRequest<never>);
      return document === undefined ? refuse(context, notFound(id, callId)) : context.json(document);
    });
  }
}

/** Messages that carry a signature in place of the token. */
function addHooks(app: App, { onHook }: AppOptions): void {
  app.post("/hooks/:name", async (context) => {
    context.header("Cache-Control", "no-store");
    const body = await readText(context.env.incoming);
    if (!body.ok) return refuse(context, body);
    const name = context.req.param("name");
    const answer = await onHook?.({ name, headers: context.req.header(), body: body.value });
    if (answer === undefined) return refuse(context, { status: 404, problem: "This server receives no messages." });
    const { status, isDone, text } = answer;
    return context.json({ isDone, text }, status as 200); // any status with a body
  });
}

async function answerPage(context: AppContext, { pagesFolder }: AppOptions): Promise<Response> {
  const path = context.env.incoming.url?.split("?", 1)[0] ?? "/"; // not yet decoded
  const answer = await pageAnswer(pagesFolder, path, context.req.header("If-None-Match"));
  return answer.status === 304
    ? context.body(null, answer.status, answer.headers)
    : context.body(answer.body, answer.status, answer.headers);
}

/** Whether a request has the cookie of a session, or the token. */
function isKnown(context: AppContext, { credentials, port, now }: AppOptions): boolean {
  const [, token] = /^Bearer (\S+)$/i.exec(context.req.header("Authorization") ?? "") ?? [];
  if (token !== undefined) return credentials.isToken(token);
  const session = getCookie(context, cookieName(port()));
  return session !== undefined && credentials.isSession(session, now());
}

/** Cookies are shared by all ports of a host, so the name has the port. */
function cookieName(port: number): string {
  return `sheepdog_${port}`;
}

function unknownRoute({ req }: AppContext): Refusal {
  const isPath = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(req.path);
  const known: readonly Route[] = Object.values(routes);
  const methods = known.filter(({ path }) => isPath(path)).map(({ method }) => method);
  if (methods.length === 0) return { status: 404, problem: `The API has no path ${req.path}.` };
  return { status: 405, problem: `${req.path} answers to ${methods.join(" and ")}, not to ${req.method}.` };
}

function notFound(id: string, callId: string): Refusal {
  const problem =
    callId === ""
      ? `No run begins with ${JSON.stringify(id)}. It may have been pruned.`
      : `The run ${JSON.stringify(id)} has no call ${JSON.stringify(callId)}.`;
  return { status: 404, problem };
}

function refuse(context: AppContext, { status, problem }: Refusal): Response {
  // What was not read of a body that is refused is not read any more.
  const close: Record<string, string> = status === 413 ? { Connection: "close" } : {};
  return context.json({ problem }, status as 400, close); // any status with a body
}
