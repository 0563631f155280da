import { findAddress, type ModelSpec, type Provider, providers } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { Io } from "../../io.ts";

/**
 * The address that requests for a model go to, as it is shown. Undefined for the provider's own address on the
 * internet, which users need not check.
 */
export function shownAddress(spec: ModelSpec, env: Io["env"]): string | undefined {
  const address = findAddress(spec, env);
  const { baseUrl } = (providers as Readonly<Record<string, Provider>>)[spec.provider] ?? {}; // findAddress knows it
  if (address === baseUrl && address.startsWith("https:")) return undefined;
  return withoutSecrets(address);
}

/** An address as it is shown: without a user name, a password and a query, and without path segments like a key. */
export function withoutSecrets(address: string): string {
  const { origin, pathname } = new URL(address);
  const segments = pathname.split("/").map((segment) => (isLikeKey(segment) ? "…" : segment));
  return redactSecrets(`${origin}${segments.join("/")}`);
}

const MIN_KEY_CHARACTERS = 20;
/** Words with only letters, with "-", "_" or "." between them, such as `openai-compatible-servers`. */
const words = /^(?:[A-Z]?[a-z]{1,15}|[A-Z]{1,15})(?:[-_.](?:[A-Z]?[a-z]{1,15}|[A-Z]{1,15}))+$/;

/** Whether a segment of a path can be a key: a long one that does not consist of words. */
function isLikeKey(segment: string): boolean {
  return segment.length >= MIN_KEY_CHARACTERS && !words.test(segment);
}
