import { findAddress, type ModelSpec, type Runtime } from "@sheepdog/agent";
import type { Io } from "../io.ts";
import type { OpenTelemetryChoice } from "../opentelemetry/settings.ts";
import { packageVersion } from "../package-version.ts";

/** The tracing of a runtime, if it is on. */
export interface OpenedTracing {
  /** Sentences for stderr. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

interface TracingOptions {
  readonly env: Io["env"];
  /** The models of the run. */
  readonly specs: readonly ModelSpec[];
}

/** Starts the tracing. Loads nothing if it is off, and never fails a run. */
export async function openTracing(
  runtime: Runtime,
  choice: OpenTelemetryChoice,
  { env, specs }: TracingOptions,
): Promise<OpenedTracing> {
  if (!choice.isOn)
    return { notes: choice.problem === undefined ? [] : [choice.problem], close: () => Promise.resolve() };
  const { connectTracing } = await import("../opentelemetry/connect-tracing.ts");
  const servers = serversOf(specs, env);
  const tracing = connectTracing(runtime, {
    settings: choice.settings,
    env,
    version: packageVersion(),
    serverOf: ({ model }) => servers.get(model),
  });
  return {
    notes: [],
    async close() {
      const loss = await tracing.close();
      if (loss !== undefined) process.emitWarning(loss);
    },
  };
}

type Server = { readonly address: string; readonly port: number };

/** The host and port of each model; undefined for a model of two providers, whose requests cannot be told apart. */
function serversOf(specs: readonly ModelSpec[], env: Io["env"]): ReadonlyMap<string, Server | undefined> {
  const servers = new Map<string, Server | undefined>();
  for (const spec of specs) {
    const { hostname, port, protocol } = new URL(findAddress(spec, env));
    const server = { address: hostname, port: Number(port) || (protocol === "http:" ? 80 : 443) };
    servers.set(spec.modelId, servers.has(spec.modelId) ? undefined : server);
  }
  return servers;
}
