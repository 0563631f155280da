import type { IncomingMessage } from "node:http";

/** Why a request is not answered. */
export interface Refusal {
  readonly status: number;
  readonly problem: string;
}

type RequestHead = Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">;

const methods: readonly string[] = ["GET", "HEAD", "POST"];

/**
 * Refuses requests that another site may have caused, before anything else looks at them. Undefined: the request comes
 * from a page of this server, from the address bar, or from a program.
 */
export function refuseRequest(request: RequestHead, hosts: ReadonlySet<string>): Refusal | undefined {
  const { method = "", url = "" } = request;
  const host = onlyHost(request);
  if (host === undefined || !hosts.has(host))
    return forbidden(
      `${JSON.stringify(host ?? "")} is not the host of this server. Open the address it printed, with its port.`,
    );
  if (!isSameOrigin(request, host)) return forbidden("This request comes from another site.");
  if (!methods.includes(method)) return { status: 405, problem: `This server does not answer to ${method}.` };
  if (!isPlainPath(url)) return { status: 404, problem: "There is no such path." };
  return undefined;
}

/** Whether a target is a path that means the same however often it is decoded: it has no `..`, NUL or backslash. */
function isPlainPath(url: string): boolean {
  const path = url.split("?", 1)[0] ?? "";
  if (!path.startsWith("/") || path.startsWith("//") || /%(?:00|2e|5c)|[\\\0]/i.test(path)) return false;
  return !path.split("/").some((part) => part === "." || part === "..");
}

/** The value of `Host`; undefined if there is none or more than one. */
function onlyHost({ headers, rawHeaders }: RequestHead): string | undefined {
  const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host").length;
  return count === 1 ? headers.host : undefined;
}

/**
 * A browser sends `Origin` with every POST and every request to another origin, and newer ones `Sec-Fetch-Site` with
 * each request. A program sends neither, and has to send the token or a signature with a POST: a form of another site
 * cannot.
 */
function isSameOrigin(request: RequestHead, host: string): boolean {
  const { method, headers, url = "" } = request;
  const { origin, authorization } = headers;
  if (origin !== undefined) return origin === `http://${host}`;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return isOpenedPage(request);
  const isSigned = url.startsWith("/hooks/") && headers["webhook-signature"] !== undefined;
  return method !== "POST" || authorization !== undefined || isSigned;
}

/** A link of another site may open a page: pages contain no data. `/%61pi` is the API too. */
function isOpenedPage({ method, url = "", headers }: RequestHead): boolean {
  const isDocument = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  const path = decodedPath(url);
  return method === "GET" && isDocument && path !== undefined && !path.toLowerCase().startsWith("/api");
}

/** The path of a target, decoded once as the router does; undefined if that is not possible. */
function decodedPath(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split("?", 1)[0] ?? "");
  } catch {
    return undefined;
  }
}

function forbidden(problem: string): Refusal {
  return { status: 403, problem };
}
