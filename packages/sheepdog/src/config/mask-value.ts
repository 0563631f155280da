import { redactSecrets } from "@sheepdog/guardian";
import type { Io } from "../io.ts";

const secretName = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i;

/** A value as it may be shown: what comes from a secret variable is shown by the variable's name. */
export function maskValue(value: unknown, env: Io["env"]): unknown {
  if (typeof value === "string") return maskText(value, env);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, env));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskValue(part, env)]));
}

function maskText(text: string, env: Io["env"]): string {
  let masked = text;
  for (const [name, secret] of Object.entries(env))
    if (secretName.test(name) && secret && secret.length >= 6) masked = masked.replaceAll(secret, `\${${name}}`);
  return redactSecrets(masked.replace(/\/\/[^/@\s]+@/g, "//…@"));
}
