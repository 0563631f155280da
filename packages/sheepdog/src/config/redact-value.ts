import { isSecretVariable, redactSecrets } from "@sheepdog/guardian/secrets";

type Environment = Readonly<Record<string, string | undefined>>;

const MIN_LENGTH = 8;
/** A shorter value of small letters may be a word, such as "postgres". */
const MIN_LETTERS = 12;

/**
 * A value that is safe to print: the content of a secret variable is replaced with the name of the variable, and
 * headers are masked. `path`: the keys that lead to the value.
 */
export function redactValue(value: unknown, env: Environment, path: readonly string[] = []): unknown {
  if (typeof value === "string") return path.includes("headers") ? maskHeader(value, env) : redactText(value, env);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, env, path));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, redactValue(part, env, [...path, name])]),
  );
}

/** A header of a request is a secret, unless it is a variable whose name can be shown. */
function maskHeader(value: string, env: Environment): string {
  return /^(?:\w+ )?\$\{\w+\}$/.exec(redactText(value, env))?.[0] ?? "…";
}

/** A text that is safe to print. */
export function redactText(text: string, env: Environment): string {
  let redacted = text;
  for (const name of Object.keys(env).filter(isSecretVariable)) {
    const secret = env[name] ?? "";
    if (isLikeSecret(secret)) redacted = redacted.replaceAll(secret, `\${${name}}`);
  }
  return redactSecrets(redacted.replace(/\/\/[^/@\s]+@/g, "//…@"));
}

/** No path, no number, and no word such as "enabled": masking it would make ordinary text unreadable. */
export function isLikeSecret(value: string): boolean {
  if (value.length < MIN_LENGTH || /^[~./]/.test(value) || /^\d+$/.test(value)) return false;
  return value.length >= MIN_LETTERS || !/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(value);
}
