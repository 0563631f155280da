import { providers } from "@sheepdog/agent";
import { isSecretParameter, isSecretVariable } from "@sheepdog/guardian/secrets";
import { secretKeys } from "../config/channel-rules.ts";
import { isLikeSecret } from "../config/redact-value.ts";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { decoded, readHeaders } from "../opentelemetry/otlp-headers.ts";

/** The values of secrets in the environment: the keys of providers, and of variables with the name of a secret. */
export function secretsInEnvironment(env: Io["env"]): readonly string[] {
  const keyNames = new Set(Object.values(providers).flatMap(({ keys }) => keys));
  const inVariables = Object.entries(env).flatMap(([name, value = ""]) => {
    if (keyNames.has(name)) return [value.trim()];
    if (/^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/.test(name))
      return readHeaders(value).flatMap(([, header]) => secretsInHeader(header));
    if (isAddress(value)) return secretsInAddress(value);
    return isSecretVariable(name) && isLikeSecret(value) ? [value] : [];
  });
  return [...new Set(inVariables)];
}

/** The values of secrets that a run uses: those in the environment, in addresses of models, headers and channels. */
export function secretValues(
  config: Pick<Config, "model" | "fallback_models" | "opentelemetry" | "channels">,
  env: Io["env"],
): readonly string[] {
  const addresses = [config.model.base_url, ...config.fallback_models.map(({ base_url }) => base_url)];
  const inConfig = addresses.flatMap((address) => (address === undefined ? [] : secretsInAddress(address)));
  const inHeaders = Object.values(config.opentelemetry.headers).flatMap(secretsInHeader);
  return [...new Set([...secretsInEnvironment(env), ...inConfig, ...inHeaders, ...channelSecrets(config, env)])];
}

/** The value, and without a word such as `Bearer`. */
function secretsInHeader(value: string): readonly string[] {
  return [value, value.replace(/^\w+ +/, "")].filter(isLikeSecret);
}

/** The tokens, addresses and passwords of channels, wherever they come from. */
function channelSecrets({ channels = {} }: Pick<Config, "channels">, env: Io["env"]): readonly string[] {
  const values = Object.values(channels).flatMap((table) =>
    secretKeys.map((key) => table[key] ?? env[table[`${key}_env`] ?? ""] ?? ""),
  );
  return values.map((value) => value.trim()).filter((value) => value !== "" && isLikeSecret(value));
}

function isAddress(value: string): boolean {
  return value.includes("://") && URL.canParse(value);
}

/** The password of an address, or the user name if there is none, and parameters with the name of a secret. */
function secretsInAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, searchParams } = new URL(address);
  const user = password === "" ? username : password;
  const parameters = [...searchParams].flatMap(([name, value]) => (isSecretParameter(name) ? [value] : []));
  return [user, decoded(user), ...parameters].filter(isLikeSecret);
}
