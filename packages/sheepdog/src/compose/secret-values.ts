import { providers } from "@sheepdog/agent";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";

/** A name of an environment variable whose value is a secret. */
const secretName =
  /(?:^|_)(?:(?:API|ACCESS|PRIVATE)_?KEY|SECRET(?:_KEY)?|TOKEN|PASS(?:WORD|WD|PHRASE)?|CREDENTIALS?|AUTH)(?:_|$)/i;
const MIN_LENGTH = 8;

/** The values of secrets in the environment: the keys of providers, and of variables with the name of a secret. */
export function secretsInEnvironment(env: Io["env"]): readonly string[] {
  const keyNames = new Set(Object.values(providers).flatMap(({ keys }) => keys));
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (keyNames.has(name)) return [value.trim()];
    if (isAddress(value)) return secretsInAddress(value);
    return secretName.test(name) && isLikeSecret(value) ? [value] : [];
  });
}

/** The values of secrets that a run uses: those in the environment, and in the configured addresses of models. */
export function secretValues(config: Pick<Config, "model" | "fallback_models">, env: Io["env"]): readonly string[] {
  const addresses = [config.model.base_url, ...config.fallback_models.map(({ base_url }) => base_url)];
  const inConfig = addresses.flatMap((address) => (address === undefined ? [] : secretsInAddress(address)));
  return [...new Set([...secretsInEnvironment(env), ...inConfig])];
}

/** No path, and no word such as "enabled": masking it would make ordinary text unreadable. */
function isLikeSecret(value: string): boolean {
  return value.length >= MIN_LENGTH && !/^[~./]/.test(value) && !/^[a-z]+$/i.test(value) && !/^\d+$/.test(value);
}

function isAddress(value: string): boolean {
  return value.includes("://") && URL.canParse(value);
}

/** The password and the parameters of an address; a user name only if there is no password. */
function secretsInAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, searchParams } = new URL(address);
  const user = password === "" ? username : password;
  return [user, decoded(user), ...searchParams.values()].filter((value) => value.length >= MIN_LENGTH);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a "%" that is not an escape
  }
}
