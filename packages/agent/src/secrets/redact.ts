import { redactSecrets } from "@sheepdog/guardian/secrets";
import { createValueMask } from "./value-mask.ts";

/** Replaces the secrets in a text by an ellipsis. */
export type Redact = (text: string) => string;

/**
 * Creates the redaction of a runtime: the given values in every spelling, then every secret with a known form. Values
 * of fewer than eight characters are not replaced: they occur in ordinary words.
 */
export function createRedact(values: readonly string[] = []): Redact {
  const { mask } = createValueMask(values);
  return (text) => redactSecrets(mask(text));
}
