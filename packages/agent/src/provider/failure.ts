import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { FailureKind } from "../protocol/failure-kind.ts";
import type { Redact } from "../secrets/redact.ts";
import { causesOf, type ErrorDetails, readErrorDetails } from "./error-details.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Why a request to a model failed. */
export interface Failure {
  readonly kind: FailureKind;
  /** One sentence without secrets. */
  readonly problem: string;
  /** The wait that the provider asked for. */
  readonly retryAfterMs?: number;
  readonly isRetryable: boolean;
  /** It may pass, but rarely does by itself: a wrong address, a server that is not running. */
  readonly rarelyPasses?: true;
}

/** Classifies anything that was thrown or came as an error in a stream. Never throws. */
export function toFailure(error: unknown, now: number, redact: Redact = redactSecrets): Failure {
  const read = readErrorDetails(error);
  const details = { ...read, message: redact(read.message) }; // before it is shortened: a half secret is not recognised
  const failure =
    fromUnreadableData(details) ??
    fromStatus(details) ??
    fromName(details) ??
    fromCode(details) ??
    fromText(details) ??
    unknownFailure(details);
  if (!failure.isRetryable) return failure;
  const waitMs = causesOf(error)
    .map((cause) => retryAfterMs(cause, now))
    .find((ms) => ms !== undefined);
  return waitMs === undefined ? failure : { ...failure, retryAfterMs: waitMs };
}

/** Creates a failure; `problem` is shortened, redacted and ends with a full stop. */
export function createFailure(kind: FailureKind, problem: string, isRetryable: boolean): Failure {
  return { kind, problem: toSentence(problem), isRetryable };
}

/** Providers use many wordings, under status 400, 413 or 422 or inside the stream. */
const tooLong = new RegExp(
  [
    "context[_ ]length",
    "context (?:window|size|limit)",
    "(?:prompt|input) is too long",
    "maximum (?:prompt|context|input)[ _]?(?:length|tokens)",
    "token count.{0,60}exceed",
    "too many (?:input )?tokens",
    "reduce the length",
    "request_too_large",
  ].join("|"),
  "i",
);
/** Checked before the status: a retry does not refill an account. */
const noCredit = new RegExp(
  [
    "insufficient[_ ]quota",
    "credit balance",
    "billing",
    "payment required",
    "out of credits",
    "insufficient (?:funds|credits|balance)",
  ].join("|"),
  "i",
);
const badKey = new RegExp(
  [
    "api[ _-]?key (?:not valid|is invalid|not found|expired)",
    "(?:invalid|incorrect|missing|no) (?:x-)?api[ _-]?key",
    "unauthori[sz]ed",
    "authentication[_ ]error",
  ].join("|"),
  "i",
);

type ToFailure = (details: ErrorDetails) => Failure;

/** A failure with the words of the provider. */
const quoting =
  (kind: FailureKind, problem: string, isRetryable: boolean): ToFailure =>
  (details) =>
    createFailure(kind, `${problem}${quote(details)}`, isRetryable);

const overloaded = quoting("overloaded", "The provider is overloaded", true);
const providerFailed = quoting("overloaded", "The provider failed", true);
const rateLimited = quoting("rate-limit", "The provider reports too many requests", true);
const timedOut = quoting("timeout", "The provider took too long", true);
const contextTooLong = quoting("context-too-long", "The conversation is longer than the model's context window", false);

/** The AI SDK cannot read the data; it may invent a status for this. Data nested too deep overflows the stack. */
function fromUnreadableData({ text }: ErrorDetails): Failure | undefined {
  return /^(?:Type validation failed|JSON parsing failed|Maximum call stack)/.test(text) ? unreadable() : undefined;
}

function fromStatus(details: ErrorDetails): Failure | undefined {
  const { status, text } = details;
  if (status === undefined || status < 300) return undefined;
  if (status < 400) return redirected(status);
  if (noCredit.test(text)) return accountEmpty(details);
  if (status === 401 || status === 403 || (status < 500 && badKey.test(text))) return keyRefused(details);
  if (status === 402) return accountEmpty(details);
  if (status === 404) return notFound(details);
  if (status === 408) return timedOut(details);
  if (status === 413 || ((status === 400 || status === 422) && tooLong.test(text))) return contextTooLong(details);
  if (status === 429) return rateLimited(details);
  if (status === 409 || status === 529 || status === 503) return overloaded(details);
  if (status >= 500) return tooLong.test(text) ? contextTooLong(details) : providerFailed(details);
  return createFailure("unknown", `The provider refused the request${quote(details)}`, false);
}

/** Error names that providers send in a stream, and those of the AI SDK and Node. */
const errorNames: readonly (readonly [readonly string[], ToFailure])[] = [
  [["overloaded_error", "overloaded", "service_unavailable", "unavailable", "server_overloaded"], overloaded],
  [["insufficient_quota", "billing_error"], accountEmpty],
  [["rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "too_many_requests"], rateLimited],
  [
    [
      "authentication_error",
      "permission_error",
      "invalid_api_key",
      "unauthenticated",
      "permission_denied",
      "ai_loadapikeyerror",
    ],
    keyRefused,
  ],
  [["not_found_error", "model_not_found", "ai_nosuchmodelerror"], notFound],
  [["context_length_exceeded", "request_too_large"], contextTooLong],
  [["api_error", "server_error", "internal_error", "internal_server_error"], providerFailed],
  [["timeout_error", "timeouterror"], timedOut],
  [["aborterror", "responseaborted"], () => createFailure("cancelled", "The request was cancelled", false)],
  [
    [
      "ai_jsonparseerror",
      "ai_typevalidationerror",
      "ai_invalidresponsedataerror",
      "ai_emptyresponsebodyerror",
      "ai_nocontentgeneratederror",
    ],
    ({ isHtml }) => (isHtml ? webPage() : unreadable()),
  ],
];

function fromName(details: ErrorDetails): Failure | undefined {
  const names = details.names.map((name) => name.toLowerCase());
  const match = errorNames.find(([known]) => known.some((name) => names.includes(name)));
  return match?.[1](details);
}

const networkCode =
  /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|EPROTO|UND_ERR_|ERR_SSL|ERR_TLS|ERR_STREAM_PREMATURE_CLOSE)/;
const certificateCode =
  /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|ERR_SSL_WRONG_VERSION)/;

/** Node's codes for sockets, host names and certificates. */
function fromCode({ codes }: ErrorDetails): Failure | undefined {
  const code = codes.find((candidate) => networkCode.test(candidate) || certificateCode.test(candidate));
  if (code === undefined) return undefined;
  if (certificateCode.test(code))
    return createFailure("network", `The provider's certificate is not trusted (${code})`, false);
  if (/TIMEDOUT|TIMEOUT/.test(code))
    return createFailure("timeout", `The provider did not answer in time (${code})`, true);
  const failure = createFailure("network", describeNetworkCode(code), true);
  return code === "ECONNREFUSED" ? { ...failure, rarelyPasses: true } : failure;
}

function describeNetworkCode(code: string): string {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `The provider's host name cannot be found (${code}): check the network and the base URL`;
  if (code === "ECONNREFUSED")
    return `Nothing is listening at the provider's address (${code}): check that the server runs, and the base URL`;
  return `The connection to the provider broke (${code})`;
}

function fromText(details: ErrorDetails): Failure | undefined {
  const { text } = details;
  if (tooLong.test(text)) return contextTooLong(details);
  if (noCredit.test(text)) return accountEmpty(details);
  if (badKey.test(text)) return keyRefused(details);
  if (/overloaded|try again later|temporarily unavailable/i.test(text)) return overloaded(details);
  if (/fetch failed|terminated|socket hang up|network|other side closed|cannot connect/i.test(text))
    return createFailure("network", `The connection to the provider broke${quote(details)}`, true);
  return /failed to process successful response/i.test(text) ? unreadable() : undefined;
}

function unknownFailure(details: ErrorDetails): Failure {
  const problem =
    details.message === ""
      ? "The provider failed without a reason"
      : `The request to the provider failed${quote(details)}`;
  return createFailure("unknown", problem, false);
}

function notFound(details: ErrorDetails): Failure {
  const problem = "The provider does not know this model or address";
  if (!isResponsesElsewhere(details.url)) return createFailure("not-found", `${problem}${quote(details)}`, false);
  const { status, message } = details;
  const hint =
    "The provider openai uses the Responses API; for a server with chat completions, use --model openai-chat:<model> " +
    '(model.provider = "openai-chat")';
  const said = message === "" ? "" : `. The server says: ${message}`;
  return createFailure("not-found", `${problem}${inBrackets(status)}. ${hint}${said}`, false);
}

/** Whether a request went to the Responses API of another server than OpenAI's. Most have chat completions only. */
function isResponsesElsewhere(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return pathname.endsWith("/responses") && hostname !== "api.openai.com";
}

function redirected(status: number): Failure {
  const problem = `The provider redirects to another address (${status}): set the base URL to the final address`;
  return createFailure("bad-response", problem, false);
}

function unreadable(): Failure {
  return createFailure("bad-response", "The provider's answer cannot be read", true);
}

function webPage(): Failure {
  return createFailure("bad-response", "The provider answered with a web page instead of data", true);
}

/** The provider's message is not quoted: it may repeat the key or a part of it. */
function keyRefused({ status }: ErrorDetails): Failure {
  const advice = "check that it is correct and may use this model";
  return createFailure("auth", `The provider refused the API key${inBrackets(status)}: ${advice}`, false);
}

function accountEmpty({ status }: ErrorDetails): Failure {
  return createFailure("auth", `The provider account has no credit or quota left${inBrackets(status)}`, false);
}

function quote({ status, message, isHtml }: ErrorDetails): string {
  const statusText = inBrackets(status);
  if (isHtml) return `${statusText}: it answered with a web page instead of data`;
  return message === "" ? statusText : `${statusText}: ${message}`;
}

function inBrackets(status: number | undefined): string {
  return status === undefined ? "" : ` (${status})`;
}

const maxProblemLength = 300;

function toSentence(text: string): string {
  const line = redactSecrets(text).replace(/\s+/g, " ").trim();
  const short = line.length > maxProblemLength ? `${line.slice(0, maxProblemLength - 1)}…` : line;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
