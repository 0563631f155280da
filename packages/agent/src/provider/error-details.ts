import { field, textField } from "./field-access.ts";

/** What an error shows of itself and of what caused it, without trusting its shape. */
export interface Signs {
  readonly status: number | undefined;
  /** Of classes, and the `type` and `code` that providers send. */
  readonly names: readonly string[];
  /** Of the operating system, TLS and the HTTP client. */
  readonly codes: readonly string[];
  /** What a person would be told. */
  readonly message: string;
  /** All that was said, to look for words in. */
  readonly text: string;
  readonly isHtml: boolean;
}

/** Reads the signs of anything. */
export function signsOf(error: unknown): Signs {
  const causes = causesOf(error);
  const words = causes.map(messageOf).filter((message) => message !== "");
  const body = causes.map((cause) => textField(cause, "responseBody")).find((one) => one !== "") ?? "";
  const isHtml = [body, ...words].some((text) => /^\s{0,99}<(?:!doctype|html|head|body)/i.test(text));
  return {
    status: causes.map(statusOf).find((status) => status !== undefined),
    names: causes
      .flatMap((cause) => [
        textField(cause, "name"),
        textField(cause, "type"),
        textField(cause, "code"),
        textField(cause, "status"),
      ])
      .filter((name) => name !== ""),
    codes: causes.map((cause) => textField(cause, "code")).filter((code) => code !== ""),
    message: isHtml ? "" : (words[0] ?? "").slice(0, 1_000),
    text: `${words.join("\n").slice(0, 8_000)}\n${body.slice(0, 8_000)}`,
    isHtml,
  };
}

/** The error and what lies behind it (`cause`, `errors`, an `error` or a `response` inside), the error first. */
export function causesOf(error: unknown): readonly unknown[] {
  const found: unknown[] = [error];
  for (let index = 0; index < found.length && found.length < 16; index += 1) {
    const all = field(found[index], "errors");
    const behind = [
      ...["cause", "error", "response", "data"].map((name) => field(found[index], name)),
      ...(Array.isArray(all) ? all.slice(0, 4) : []),
    ];
    found.push(...behind.filter((one) => typeof one === "object" && one !== null && !found.includes(one)));
  }
  return found;
}

function messageOf(cause: unknown): string {
  if (typeof cause === "string") return cause;
  return textField(cause, "message");
}

function statusOf(cause: unknown): number | undefined {
  const status = field(cause, "statusCode") ?? field(cause, "status") ?? field(cause, "code");
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status < 600 ? status : undefined;
}
