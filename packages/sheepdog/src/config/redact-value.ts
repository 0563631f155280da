import { isSecretVariable, redactSecrets } from "@sheepdog/guardian/secrets";
import type { Io } from "../io.ts";

/** A value that is safe to print: the content of a secret variable is replaced with the name of the variable. */
export function redactValue(value: unknown, env: Io["env"]): unknown {
  if (typeof value === "string") return redactText(value, env);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, env));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redactValue(part, env)]));
}

function redactText(text: string, env: Io["env"]): string {
  let redacted = text;
  for (const [name, secret] of Object.entries(env))
    if (isSecretVariable(name) && secret && secret.length >= 6) redacted = redacted.replaceAll(secret, `\${${name}}`);
  return redactSecrets(redacted.replace(/\/\/[^/@\s]+@/g, "//…@"));
}
