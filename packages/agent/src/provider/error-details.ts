import { getField, getText } from "./field-access.ts";

/** What an error and its causes contain, read without trusting their shape. */
export interface ErrorDetails {
  /** HTTP status. */
  readonly status: number | undefined;
  /** Class names, and the `type`, `code` and `status` that providers send. */
  readonly names: readonly string[];
  /** Codes of the operating system, TLS and the HTTP client. */
  readonly codes: readonly string[];
  /** The message to show; empty if it is a web page. */
  readonly message: string;
  /** All messages and the response body, to search for keywords. */
  readonly text: string;
  readonly isHtml: boolean;
  /** The address of the request; empty if it is unknown. */
  readonly url: string;
}

/** Reads the details of any thrown value. */
export function readErrorDetails(error: unknown): ErrorDetails {
  const causes = causesOf(error);
  const texts = (name: string) => causes.map((cause) => getText(cause, name)).filter((text) => text !== "");
  const messages = causes.map(messageOf).filter((message) => message !== "");
  const body = texts("responseBody")[0] ?? "";
  const isHtml = [body, ...messages].some((text) => /^\s{0,99}<(?:!doctype|html|head|body)/i.test(text));
  return {
    status: causes.map(statusOf).find((status) => status !== undefined),
    names: ["name", "type", "code", "status"].flatMap(texts),
    codes: texts("code"),
    message: isHtml ? "" : (messages[0] ?? "").slice(0, 8_000),
    text: `${messages.join("\n").slice(0, 8_000)}\n${body.slice(0, 8_000)}`,
    isHtml,
    url: texts("url")[0] ?? "",
  };
}

const maxCauses = 16;
const maxErrorsPerCause = 4;

/** The error, followed by the errors inside it (`cause`, `errors`, `error`, `response`, `data`). */
export function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [error];
  for (let index = 0; index < causes.length && causes.length < maxCauses; index += 1) {
    const errors = getField(causes[index], "errors");
    const inner = [
      ...["cause", "error", "response", "data"].map((name) => getField(causes[index], name)),
      ...(Array.isArray(errors) ? errors.slice(0, maxErrorsPerCause) : []),
    ];
    causes.push(...inner.filter((value) => typeof value === "object" && value !== null && !causes.includes(value)));
  }
  return causes;
}

function messageOf(cause: unknown): string {
  return typeof cause === "string" ? cause : getText(cause, "message");
}

function statusOf(cause: unknown): number | undefined {
  const status = getField(cause, "statusCode") ?? getField(cause, "status") ?? getField(cause, "code");
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status < 600 ? status : undefined;
}
