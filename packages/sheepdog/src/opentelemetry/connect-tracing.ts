import type { AgentEvent, Runtime } from "@sheepdog/agent";
import type { TracedRuntime } from "@sheepdog/agent/opentelemetry";
import { otlpTarget } from "./otlp-target.ts";
import type { RunningSdk, SdkOptions } from "./start-sdk.ts";

/** Traces of a runtime. */
export interface Tracing {
  /** Exports the rest, within a second. Returns a sentence if something was lost. */
  close(): Promise<string | undefined>;
}

/** How long the end of a process may be delayed by a collector that does not answer. */
const FLUSH_MS = 1_000;
/** Events that arrive while the SDK is loaded. */
const MAX_WAITING_EVENTS = 20_000;

/** Starts to listen at once, and loads the SDK meanwhile: a run does not wait for it. */
export function connectTracing({ bus }: Pick<Runtime, "bus">, options: SdkOptions): Tracing {
  const relay = createRelay(bus);
  const started = import("./start-sdk.ts")
    .then(({ startSdk }) => startSdk({ bus: relay }, options))
    .catch((error: unknown) => {
      relay.close(); // nobody will read the events
      return error instanceof Error ? error : new Error(String(error));
    });
  return {
    async close() {
      const timeLimit = createTimeLimit(FLUSH_MS);
      const sdk = await Promise.race([started, timeLimit.reached]);
      if (sdk === undefined || sdk instanceof Error) {
        relay.close();
        timeLimit.stop();
        return notStarted(sdk?.message ?? "it took too long to load");
      }
      const isFlushed = (await Promise.race([sdk.flush().then(() => true), timeLimit.reached])) ?? false;
      timeLimit.stop();
      relay.close();
      const loss = lossSentence(sdk, isFlushed, options);
      sdk.close();
      return loss;
    },
  };
}

/** Holds events back until a listener subscribes, then passes them on. */
function createRelay(bus: Runtime["bus"]): TracedRuntime["bus"] & { close(): void } {
  let listener: ((event: AgentEvent) => void) | undefined;
  let waiting: AgentEvent[] = [];
  const close = bus.subscribe((event) => {
    if (listener !== undefined) listener(event);
    else if (waiting.length < MAX_WAITING_EVENTS && isUsed(event)) waiting.push(event);
  });
  return {
    subscribe(given) {
      listener = given;
      for (const event of waiting) given(event);
      waiting = [];
      return close;
    },
    close() {
      close();
      waiting = [];
    },
  };
}

/** Deltas are no part of a trace. */
function isUsed({ type }: AgentEvent): boolean {
  return type !== "TextDelta" && type !== "ThinkingDelta" && type !== "ToolInputDelta" && type !== "ToolOutput";
}

function createTimeLimit(ms: number): { readonly reached: Promise<undefined>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const reached = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return { reached, stop: () => clearTimeout(timer) };
}

function notStarted(problem: string): string {
  return `OpenTelemetry was off: ${problem.replace(/\.$/, "")}. Check it with: sheepdog doctor`;
}

function lossSentence({ losses }: RunningSdk, isFlushed: boolean, { settings, env }: SdkOptions): string | undefined {
  if (isFlushed && losses.problem === undefined) return undefined;
  const { host } = new URL(otlpTarget(settings, env).url);
  const reason = isFlushed ? losses.problem : `no answer within ${FLUSH_MS / 1_000} second`;
  const lost = isFlushed ? `${losses.spans} spans of this process were` : "data of this process was";
  return (
    `The OpenTelemetry collector at ${host} did not accept all data (${reason}): ${lost} dropped. ` +
    "Check it with: sheepdog doctor"
  );
}
