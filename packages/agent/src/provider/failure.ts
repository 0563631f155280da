import { redactSecrets } from "@sheepdog/guardian";
import { causesOf, type Signs, signsOf } from "./error-details.ts";
import { retryAfterMs } from "./retry-after.ts";

export type FailureKind =
  | "auth"
  | "not-found"
  | "rate-limit"
  | "overloaded"
  | "context-too-long"
  | "network"
  | "timeout"
  | "bad-response"
  | "cancelled"
  /** It was not sent: the money is not there. */
  | "budget"
  | "unknown";

/** Why a request to a model failed. */
export interface Failure {
  readonly kind: FailureKind;
  /** One sentence, without secrets. */
  readonly problem: string;
  /** How long the provider asked us to wait. */
  readonly retryAfterMs?: number;
  readonly isRetryable: boolean;
}

/** What to make of anything that was thrown at us or came as an error in a stream. Never throws. */
export function toFailure(error: unknown, now: number): Failure {
  const signs = signsOf(error);
  const failure =
    unreadable(signs) ?? byStatus(signs) ?? byName(signs) ?? byCode(signs) ?? bySaying(signs) ?? unknown(signs);
  const waitMs = failure.isRetryable
    ? retryAfterMs(
        causesOf(error).find((cause) => retryAfterMs(cause, now) !== undefined),
        now,
      )
    : undefined;
  return waitMs === undefined ? failure : { ...failure, retryAfterMs: waitMs };
}

/** A failure that we found ourselves. */
export function failure(kind: FailureKind, problem: string, isRetryable: boolean): Failure {
  return { kind, problem: sentence(problem), isRetryable };
}

/** Providers word it in many ways, and some send it with 400, some with 413 or 422, some in the stream. */
const tooLong =
  /context[_ ]length|context (?:window|size|limit)|prompt is too long|input is too long|maximum (?:prompt|context|input)[ _]?(?:length|tokens)|token count.{0,60}exceed|too many (?:input )?tokens|reduce the length|request_too_large/i;
/** Waiting does not fill an account. */
const noMoney =
  /insufficient[_ ]quota|credit balance|billing|payment required|out of credits|insufficient (?:funds|credits|balance)/i;
const badKey =
  /api[ _-]?key (?:not valid|is invalid|not found|expired)|(?:invalid|incorrect|missing|no) (?:x-)?api[ _-]?key|unauthori[sz]ed|authentication[_ ]error/i;

/** The AI SDK's words for data it cannot read; it quotes the data, sometimes under a status of its own invention. A stack overflows over data too deep. */
function unreadable({ text }: Signs): Failure | undefined {
  return /^(?:Type validation failed|JSON parsing failed|Maximum call stack)/.test(text)
    ? failure("bad-response", "The provider's answer cannot be read", true)
    : undefined;
}

function byStatus(signs: Signs): Failure | undefined {
  const { status } = signs;
  if (status === undefined || status < 300) return undefined;
  if (status < 400)
    return failure(
      "bad-response",
      `The provider sent us elsewhere (${status}), which is not followed: set the base URL to where it really is`,
      false,
    );
  if (noMoney.test(signs.text)) return noMoneyLeft(signs);
  if (status === 401 || status === 403 || (status < 500 && badKey.test(signs.text))) return refusedKey(signs);
  if (status === 402) return noMoneyLeft(signs);
  if (status === 404) return failure("not-found", `The provider knows no such model or address${quote(signs)}`, false);
  if (status === 408) return failure("timeout", `The provider gave up waiting${quote(signs)}`, true);
  if (status === 413 || ((status === 400 || status === 422) && tooLong.test(signs.text))) return contextTooLong(signs);
  if (status === 429)
    return failure("rate-limit", `The provider refuses because of too many requests${quote(signs)}`, true);
  if (status === 409 || status === 529 || status === 503)
    return failure("overloaded", `The provider is overloaded${quote(signs)}`, true);
  if (status >= 500)
    return tooLong.test(signs.text)
      ? contextTooLong(signs)
      : failure("overloaded", `The provider failed${quote(signs)}`, true);
  return failure("unknown", `The provider refused the request${quote(signs)}`, false);
}

/** The names that providers give to errors in a stream, and the AI SDK and Node to theirs. */
function byName(signs: Signs): Failure | undefined {
  const has = (...names: readonly string[]) => signs.names.some((name) => names.includes(name.toLowerCase()));
  if (has("overloaded_error", "overloaded", "service_unavailable", "unavailable", "server_overloaded"))
    return failure("overloaded", `The provider is overloaded${quote(signs)}`, true);
  if (has("insufficient_quota", "billing_error")) return noMoneyLeft(signs);
  if (has("rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "too_many_requests"))
    return failure("rate-limit", `The provider refuses because of too many requests${quote(signs)}`, true);
  if (
    has(
      "authentication_error",
      "permission_error",
      "invalid_api_key",
      "unauthenticated",
      "permission_denied",
      "ai_loadapikeyerror",
    )
  )
    return refusedKey(signs);
  if (has("not_found_error", "model_not_found", "ai_nosuchmodelerror"))
    return failure("not-found", `The provider knows no such model or address${quote(signs)}`, false);
  if (has("context_length_exceeded", "request_too_large")) return contextTooLong(signs);
  if (has("api_error", "server_error", "internal_error", "internal_server_error"))
    return failure("overloaded", `The provider failed${quote(signs)}`, true);
  if (has("timeout_error", "timeouterror"))
    return failure("timeout", `The provider took too long${quote(signs)}`, true);
  if (has("aborterror", "responseaborted")) return failure("cancelled", "The request was cancelled", false);
  if (
    has(
      "ai_jsonparseerror",
      "ai_typevalidationerror",
      "ai_invalidresponsedataerror",
      "ai_emptyresponsebodyerror",
      "ai_nocontentgeneratederror",
    )
  )
    return failure(
      "bad-response",
      signs.isHtml ? "The provider answered with a web page instead of data" : "The provider's answer cannot be read",
      true,
    );
  return undefined;
}

/** What Node says of sockets, names and certificates. */
function byCode(signs: Signs): Failure | undefined {
  const code = signs.codes.find((one) => networkCode.test(one) || certificateCode.test(one));
  if (code === undefined) return undefined;
  if (certificateCode.test(code))
    return failure("network", `The provider's certificate is not trusted (${code})`, false);
  if (/TIMEDOUT|TIMEOUT/.test(code)) return failure("timeout", `The provider did not answer in time (${code})`, true);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return failure(
      "network",
      `The provider's host name cannot be found (${code}): check the network and the base URL`,
      true,
    );
  if (code === "ECONNREFUSED")
    return failure(
      "network",
      `Nothing listens where the provider should be (${code}): check that it runs and the base URL`,
      true,
    );
  return failure("network", `The connection to the provider broke (${code})`, true);
}

const networkCode =
  /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|EPROTO|UND_ERR_|ERR_SSL|ERR_TLS|ERR_STREAM_PREMATURE_CLOSE)/;
const certificateCode =
  /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|ERR_SSL_WRONG_VERSION)/;

function bySaying(signs: Signs): Failure | undefined {
  if (tooLong.test(signs.text)) return contextTooLong(signs);
  if (noMoney.test(signs.text)) return noMoneyLeft(signs);
  if (badKey.test(signs.text)) return refusedKey(signs);
  if (/overloaded|try again later|temporarily unavailable/i.test(signs.text))
    return failure("overloaded", `The provider is overloaded${quote(signs)}`, true);
  if (/fetch failed|terminated|socket hang up|network|other side closed|cannot connect/i.test(signs.text))
    return failure("network", `The connection to the provider broke${quote(signs)}`, true);
  if (/failed to process successful response/i.test(signs.text))
    return failure("bad-response", "The provider's answer cannot be read", true);
  return undefined;
}

function unknown(signs: Signs): Failure {
  return failure(
    "unknown",
    signs.message === ""
      ? "The provider failed without saying why"
      : `The request to the provider failed${quote(signs)}`,
    false,
  );
}

function contextTooLong(signs: Signs): Failure {
  return failure("context-too-long", `The conversation is longer than the model can read${quote(signs)}`, false);
}

/** Providers repeat the key, or a part of it, in these: they are not quoted. */
function refusedKey({ status }: Signs): Failure {
  return failure(
    "auth",
    `The provider refused the API key${status === undefined ? "" : ` (${status})`}: check that it is right and may use this model`,
    false,
  );
}

function noMoneyLeft({ status }: Signs): Failure {
  return failure(
    "auth",
    `The provider says that the account has no credit or quota left${status === undefined ? "" : ` (${status})`}`,
    false,
  );
}

function quote({ status, message, isHtml }: Signs): string {
  const number = status === undefined ? "" : ` (${status})`;
  if (isHtml) return `${number}: it answered with a web page instead of data`;
  return message === "" ? number : `${number}: ${message}`;
}

const longest = 300;

function sentence(text: string): string {
  const line = redactSecrets(text).replace(/\s+/g, " ").trim();
  const short = line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
