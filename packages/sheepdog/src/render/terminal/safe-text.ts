import { redactSecrets } from "@sheepdog/guardian";
import { plainText } from "./plain-text.ts";

/** What an error or a warning says, on one line that is safe to print: no secrets, and nothing that a terminal would obey. */
export function safeText(text: string): string {
  return plainText(redactSecrets(text));
}
