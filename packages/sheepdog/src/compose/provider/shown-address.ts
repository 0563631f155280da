import { findAddress, type ModelSpec, type Provider, providers } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian";
import type { Io } from "../../io.ts";

/**
 * The address that requests for a model go to, as it is shown: without a query and without secrets. Undefined for the
 * provider's own address on the internet, which users need not check.
 */
export function shownAddress(spec: ModelSpec, env: Io["env"]): string | undefined {
  const address = findAddress(spec, env);
  const { baseUrl } = (providers as Readonly<Record<string, Provider>>)[spec.provider] ?? {}; // findAddress knows it
  if (address === baseUrl && address.startsWith("https:")) return undefined;
  const { origin, pathname } = new URL(address);
  return redactSecrets(`${origin}${pathname}`);
}
