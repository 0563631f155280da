import type * as Sdk from "@modelcontextprotocol/client";

/** Why a server did not start or could not be used, in one line that ends with a full stop. */
export function failureText(error: unknown, { SdkHttpError }: Pick<typeof Sdk, "SdkHttpError">): string {
  if (SdkHttpError.isInstance(error) && error.status === 404) return "It answered 404: check the path of its address.";
  if (SdkHttpError.isInstance(error) && error.status !== undefined) return `It answered ${error.status}.`;
  return errorText(error);
}

/** The sentence of an error. Errors of the SDK about the form of an answer are a page of JSON. */
export function errorText(error: unknown): string {
  const text = messageOf(error);
  return /^\s*[[{]/.test(text) ? "It sent an answer that does not follow the protocol." : sentence(text);
}

const maxChars = 300;

/** One line that ends with a full stop. */
export function sentence(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length > maxChars) return `${line.slice(0, maxChars).toWellFormed()}…`;
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** Lines that do not say what is wrong: where npm keeps its log, stack traces, the version of Node. */
const noise = /complete log of this run|^npm (?:error|ERR!)(?: 404)?\s*$|^\s+at |^Node\.js v|^[\s{}^~]*$/;

/** The line of a program's stderr that says most about its end; empty if there is none. */
export function tellingLine(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => !noise.test(line));
  return (lines.findLast((line) => /^npm (?:error|ERR!) 404 .*not/i.test(line)) ?? lines.at(-1) ?? "").trim();
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? `${error.message}: ${cause.message}` : error.message;
}
