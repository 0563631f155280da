import { redactSecrets } from "@sheepdog/guardian/secrets";

/** A registered name stays as it is. A name that the model invented may hold anything, and is redacted. */
export function redactToolName(tool: string, { isRegistered }: { readonly isRegistered: boolean }): string {
  return isRegistered ? tool : redactSecrets(tool);
}
