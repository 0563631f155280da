import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";

const protocols = ["http/protobuf", "http/json"] as const;
export type OtlpProtocol = (typeof protocols)[number];
const otlpSignals = ["traces", "metrics"] as const;
export type OtlpSignal = (typeof otlpSignals)[number];

/** What is exported, and how. */
export interface OpenTelemetrySettings {
  /** Those that are exported. */
  readonly signals: readonly OtlpSignal[];
  readonly protocols: Readonly<Record<OtlpSignal, OtlpProtocol>>;
  readonly config: Config["opentelemetry"];
}

/** Whether runs are exported. `problem` says why they are not, although that is asked for. */
export type OpenTelemetryChoice =
  | { readonly isOn: true; readonly settings: OpenTelemetrySettings }
  | { readonly isOn: false; readonly problem?: string };

/** Decides by the configuration and the `OTEL_*` variables. Loads nothing, as every run asks. */
export function chooseOpenTelemetry(config: Config["opentelemetry"], env: Io["env"]): OpenTelemetryChoice {
  const { endpoint, enabled = endpoint !== undefined || hasEndpoint(env) } = config;
  if (!enabled || variable(env, "OTEL_SDK_DISABLED")?.toLowerCase() === "true") return { isOn: false };
  const signals = otlpSignals.filter((signal) => isExported(env, signal) && hasAddress(config, signal, env));
  if (signals.length === 0) return { isOn: false };
  const wanted = (signal: OtlpSignal) =>
    config.protocol ??
    variable(env, `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_PROTOCOL`) ??
    variable(env, "OTEL_EXPORTER_OTLP_PROTOCOL") ??
    "http/protobuf";
  const unknown = signals.map(wanted).find((name) => !isProtocol(name));
  if (unknown !== undefined) return { isOn: false, problem: unknownProtocol(unknown) };
  const protocolOf = (signal: OtlpSignal) => protocols.find((name) => name === wanted(signal)) ?? "http/protobuf";
  return {
    isOn: true,
    settings: { signals, protocols: { traces: protocolOf("traces"), metrics: protocolOf("metrics") }, config },
  };
}

function isProtocol(name: string): boolean {
  return protocols.some((known) => known === name);
}

/** An address for one signal only says nothing about the other one: that is not exported. */
function hasAddress({ endpoint }: Config["opentelemetry"], signal: OtlpSignal, env: Io["env"]): boolean {
  const own = (each: OtlpSignal) => variable(env, `OTEL_EXPORTER_OTLP_${each.toUpperCase()}_ENDPOINT`) !== undefined;
  const isForAll = endpoint !== undefined || variable(env, "OTEL_EXPORTER_OTLP_ENDPOINT") !== undefined;
  return isForAll || own(signal) || !otlpSignals.some(own);
}

/** The value of a variable; an empty one counts as not set. */
export function variable(env: Io["env"], name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

const endpointVariables = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
];

function hasEndpoint(env: Io["env"]): boolean {
  return endpointVariables.some((name) => variable(env, name) !== undefined);
}

/** `OTEL_TRACES_EXPORTER` is a list; only OTLP can be used. */
function isExported(env: Io["env"], signal: OtlpSignal): boolean {
  const exporters = variable(env, `OTEL_${signal.toUpperCase()}_EXPORTER`) ?? "otlp";
  return exporters.split(",").some((name) => name.trim() === "otlp");
}

function unknownProtocol(protocol: string): string {
  return (
    `OpenTelemetry is off: the protocol ${protocol} cannot be used. ` +
    'Set opentelemetry.protocol to "http/protobuf" or "http/json", and the endpoint to that port (often 4318).'
  );
}
