import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";

const protocols = ["http/protobuf", "http/json"] as const;
export type OtlpProtocol = (typeof protocols)[number];

/** How spans are exported. */
export interface OpenTelemetrySettings {
  readonly protocol: OtlpProtocol;
  readonly config: Config["opentelemetry"];
}

/** Whether runs are exported. `problem` says why they are not, although that is asked for. */
export type OpenTelemetryChoice =
  | { readonly isOn: true; readonly settings: OpenTelemetrySettings }
  | { readonly isOn: false; readonly problem?: string };

/** Decides by the configuration and the `OTEL_*` variables. Loads nothing, as every run asks. */
export function chooseOpenTelemetry(config: Config["opentelemetry"], env: Io["env"]): OpenTelemetryChoice {
  const { endpoint, enabled = (endpoint ?? otlpVariable(env, "ENDPOINT")) !== undefined } = config;
  const isDisabled = variable(env, "OTEL_SDK_DISABLED")?.toLowerCase() === "true";
  if (!enabled || isDisabled || !isExported(env)) return { isOn: false };
  const wanted = config.protocol ?? otlpVariable(env, "PROTOCOL") ?? "http/protobuf";
  const protocol = protocols.find((known) => known === wanted);
  return protocol === undefined
    ? { isOn: false, problem: unknownProtocol(wanted) }
    : { isOn: true, settings: { protocol, config } };
}

/** The value of a variable; an empty one counts as not set. */
export function variable(env: Io["env"], name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/** A variable of the exporter: the one for traces, else the one for all data. */
export function otlpVariable(env: Io["env"], name: string): string | undefined {
  return variable(env, `OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? variable(env, `OTEL_EXPORTER_OTLP_${name}`);
}

/** `OTEL_TRACES_EXPORTER` is a list; only OTLP can be used. */
function isExported(env: Io["env"]): boolean {
  const exporters = variable(env, "OTEL_TRACES_EXPORTER") ?? "otlp";
  return exporters.split(",").some((name) => name.trim() === "otlp");
}

function unknownProtocol(protocol: string): string {
  return (
    `OpenTelemetry is off: the protocol ${protocol} cannot be used. ` +
    'Set opentelemetry.protocol to "http/protobuf" or "http/json", and the endpoint to that port (often 4318).'
  );
}
