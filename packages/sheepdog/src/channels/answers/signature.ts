import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The headers of a signed message, as the specification Standard Webhooks names them. */
export interface SignedHeaders {
  readonly "webhook-id": string;
  /** Seconds since 1970. */
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/** How far the clocks of sender and receiver may differ, and how long a message may take. */
export const toleranceMs = 5 * 60_000;

/** Signs a body with HMAC-SHA256 over its id, its time and every byte of it. */
export function signedHeaders(
  body: string,
  { id, at, secret }: { readonly id: string; readonly at: number; readonly secret: string },
): SignedHeaders {
  const seconds = String(Math.floor(at / 1_000));
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${signature(`${id}.${seconds}.${body}`, secret)}`,
  };
}

/** Why a signed message is refused; undefined if its signature and its time are right. */
export function signatureProblem(
  body: string,
  headers: Readonly<Record<string, string | undefined>>,
  { now, secret }: { readonly now: number; readonly secret: string },
): string | undefined {
  const { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signatures = "" } = headers;
  if (id === undefined || id === "" || id.length > 200 || seconds === undefined || !/^\d{1,12}$/.test(seconds))
    return "The headers webhook-id, webhook-timestamp and webhook-signature are needed.";
  const expected = signature(`${id}.${seconds}.${body}`, secret);
  const given = signatures
    .split(" ")
    .slice(0, 10)
    .filter((each) => each.startsWith("v1,"));
  if (!given.some((each) => isEqual(each.slice(3), expected))) return "The signature is wrong.";
  return Math.abs(now - Number(seconds) * 1_000) > toleranceMs
    ? "The message is too old, or from the future."
    : undefined;
}

function signature(content: string, secret: string): string {
  return createHmac("sha256", keyOf(secret)).update(content).digest("base64");
}

/** A secret `whsec_…` is base64; any other one is used as it is. */
function keyOf(secret: string): Buffer {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret, "utf8");
}

/** Takes the same time for every text. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
