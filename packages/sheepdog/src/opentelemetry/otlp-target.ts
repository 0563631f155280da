import { readFileSync } from "node:fs";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { Io } from "../io.ts";
import { headersFrom } from "./otlp-headers.ts";
import { type OpenTelemetrySettings, otlpVariable, variable } from "./settings.ts";

/** Where and how spans are sent. */
export interface OtlpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly isCompressed: boolean;
  /** Certificates for https. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

const DEFAULT_ENDPOINT = "http://localhost:4318";
const DEFAULT_TIMEOUT_MS = 10_000;

/** The target by the configuration, then by the `OTEL_*` variables. Throws a sentence. */
export function otlpTarget(settings: OpenTelemetrySettings, env: Io["env"]): OtlpTarget {
  const { endpoint, headers } = settings.config;
  const read = (name: string) => otlpVariable(env, name);
  const timeoutMs = Number(read("TIMEOUT"));
  return {
    url: urlOf(endpoint, env),
    // Headers of the variables are keys for the endpoint of the variables.
    headers: { ...(endpoint === undefined ? headersFrom(env) : {}), ...headers },
    timeoutMs: timeoutMs > 0 && Number.isFinite(timeoutMs) ? timeoutMs : DEFAULT_TIMEOUT_MS,
    isCompressed: read("COMPRESSION") === "gzip",
    tls: {
      ...certificate("ca", read("CERTIFICATE")),
      ...certificate("cert", read("CLIENT_CERTIFICATE")),
      ...certificate("key", read("CLIENT_KEY")),
    },
  };
}

/** An address for traces is complete; one for all data is completed, also if it has that path by mistake. */
function urlOf(endpoint: string | undefined, env: Io["env"]): string {
  const name = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  const own = endpoint === undefined ? variable(env, name) : undefined;
  const base = endpoint ?? variable(env, "OTEL_EXPORTER_OTLP_ENDPOINT") ?? DEFAULT_ENDPOINT;
  const url = own ?? `${base.replace(/\/+$/, "").replace(/\/v1\/traces$/, "")}/v1/traces`;
  const given = own ?? base;
  if (/^https?:\/\/[^/]/.test(given) && URL.canParse(url)) return url;
  const source =
    endpoint !== undefined ? "opentelemetry.endpoint" : own === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : name;
  const hint = /^[\w.-]+:\d+/.test(given) ? ` Write http://${given}` : "";
  const sentence = `The OpenTelemetry endpoint ${JSON.stringify(given)} of ${source} is not an http or https address.`;
  throw new Error(redactSecrets(`${sentence}${hint}`));
}

function certificate(name: keyof OtlpTarget["tls"], path: string | undefined): OtlpTarget["tls"] {
  if (path === undefined) return {};
  try {
    return { [name]: readFileSync(path, "utf8") };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`A certificate for OpenTelemetry cannot be read (${problem}).`);
  }
}
