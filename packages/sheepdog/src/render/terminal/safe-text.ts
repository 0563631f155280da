import { redactSecrets } from "@sheepdog/guardian/secrets";
import { plainText } from "./plain-text.ts";

/** The message of an error or a warning as one line that is safe to print: no secrets, no control sequences. */
export function safeText(text: string): string {
  return plainText(redactSecrets(text));
}
