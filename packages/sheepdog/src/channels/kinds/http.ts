import { redactSecrets } from "@sheepdog/guardian/secrets";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { SendResult } from "../channel-kind.ts";

/** The answer of a server. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** As much of it as is read. */
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
}

export interface HttpRequest {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** Default: 15 seconds. */
  readonly timeoutMs?: number;
  /** How much of the answer is read. Default: 64 kB. */
  readonly maxBytes?: number;
}

const defaultBytes = 64_000;

/** Sends a request. Follows no redirect: the credentials are for this server only. A failure is a `retry`. */
export async function request(options: HttpRequest): Promise<HttpAnswer | Extract<SendResult, { type: "retry" }>> {
  const { url, method = "POST", headers = {}, body, signal, timeoutMs = 15_000, maxBytes = defaultBytes } = options;
  const timeout = new AbortController();
  const abort = () => timeout.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    const response = await fetch(url, {
      method,
      redirect: "manual",
      signal: timeout.signal,
      headers: {
        "user-agent": "sheepdog",
        ...(body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await readText(response, maxBytes);
    return { status: response.status, headers: response.headers, text, json: parseJson(text) };
  } catch (error) {
    const problem = timeout.signal.aborted ? `did not answer within ${timeoutMs / 1_000} s` : causeOf(error);
    return { type: "retry", problem: `${hostOf(url)} ${problem}.` };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** The result of an answer by its status. `why` are the words of the server, if it has any. */
export function resultOf(answer: HttpAnswer, url: string, why = ""): Exclude<SendResult, { type: "sent" }> | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  const words = safeWords(why);
  const problem = `${hostOf(url)} answered ${status}${words === "" ? "" : `: ${words}`}.`;
  if (status === 429) return { type: "retry", problem, ...retryAfter(answer) };
  if (status >= 500 || status === 408 || status === 425) return { type: "retry", problem, ...retryAfter(answer) };
  return { type: "refused", problem };
}

/** What a server says, on one short line and without secrets. */
export function safeWords(text: string): string {
  return redactSecrets(plainText(text.slice(0, 500)))
    .slice(0, 200)
    .replace(/\.$/, "");
}

/** The time of the header Retry-After, in seconds or as a date. */
function retryAfter({ headers }: HttpAnswer): { readonly afterMs?: number } {
  const value = headers.get("retry-after") ?? "";
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
  const afterMs = seconds === undefined ? Date.parse(value) - Date.now() : seconds * 1_000;
  return Number.isFinite(afterMs) && afterMs >= 0 ? { afterMs } : {};
}

/** The field of a JSON object; undefined if there is none. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  let current = value;
  for (const name of names) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[name]; // it is an own property
  }
  return current;
}

/** A text or a number as text: vendors write ids in both ways. */
export function idText(value: unknown): string | undefined {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the server";
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break; // leaving the loop cancels the rest
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // its text is used instead
  }
}

/** The words of a failed connection, without the address: that may contain a token. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = field(cause, "code") ?? field(error, "code");
  if (code === "ENOTFOUND") return "is unknown";
  if (code === "ECONNREFUSED") return "refuses connections";
  return typeof code === "string" ? `cannot be reached (${code})` : "cannot be reached";
}
