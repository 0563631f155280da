import type {
  AgentEvent,
  Clock,
  CostRow,
  Model,
  Run,
  RunResult,
  Runtime,
  RuntimeOptions,
  SessionStore,
  Tool,
} from "@sheepdog/agent";
import { createRuntime } from "@sheepdog/agent";
import { machineClock } from "../src/protocol/clock.ts";
import { memoryStores } from "../src/stores/memory-stores.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { type CheckedRun, checkRun } from "./run-checks.ts";
import { allowAll } from "./test-runtime.ts";

/** A model that may record its requests, as the scripted model does. */
type RecordingModel = Model & { readonly requests?: readonly unknown[] };

/** A runtime that records its events and cost rows, and checks its runs against the guarantees. */
export interface TestAgent {
  readonly runtime: Runtime;
  readonly clock: ManualClock;
  readonly events: AgentEvent[];
  readonly ledger: CostRow[];
  /** Runs a prompt to its end and checks the run. */
  run(prompt?: string, expected?: Partial<CheckedRun>): Promise<RunResult>;
  /** Waits for the end of a started run and checks it. */
  check(run: Run, expected?: Partial<CheckedRun>): Promise<RunResult>;
  /** All tool results in the store. */
  results(): Promise<readonly { readonly status: string; readonly content: string; readonly tool: string }[]>;
  /** The types of all events. */
  types(): readonly string[];
  count(type: AgentEvent["type"]): number;
}

/** The session of most tests. */
export const session = "ses_1";

const nanoUsdPerToken = 1_000;
const price: NonNullable<RuntimeOptions["price"]> = (_model, { input, output }) => (input + output) * nanoUsdPerToken;

/** Creates a test agent. Waits of up to a minute take no time; longer waits, the time limits of tools, are real. */
export function testAgent(
  models: RecordingModel | readonly RecordingModel[],
  tools: readonly Tool[] = [],
  options: Partial<RuntimeOptions> = {},
): TestAgent {
  const allModels: readonly RecordingModel[] = "doStream" in models ? [models] : models;
  const manual = manualClock();
  const clock: ManualClock = { ...manual, sleep: shortSleep(manual), after: machineClock.after };
  const ledger: CostRow[] = [];
  const stores = options.stores ?? memoryStores();
  const commit: SessionStore["commit"] = async (lease, written) => {
    await stores.sessions.commit(lease, written);
    // An attempt that failed before its first word is free and has no usage.
    ledger.push(...(written.costs ?? []).filter(({ usage }) => usage.input + usage.output > 0));
  };
  const runtime = createRuntime({
    models: allModels,
    tools,
    clock,
    gate: allowAll,
    price,
    ...options,
    stores: { ...stores, sessions: { ...stores.sessions, commit } },
  });
  const events: AgentEvent[] = [];
  runtime.bus.subscribe((event) => void events.push(event));
  let runCount = 0;
  const countingRuntime: Runtime = {
    ...runtime,
    run(sessionId, prompt) {
      runCount += 1;
      return runtime.run(sessionId, prompt);
    },
  };
  const requestCount = () =>
    allModels.every((model) => model.requests !== undefined)
      ? allModels.reduce((sum, model) => sum + (model.requests?.length ?? 0), 0)
      : undefined;
  const check = async (run: Run, expected: Partial<CheckedRun> = {}) => {
    await run.result;
    const requests = requestCount();
    return checkRun({
      run,
      runtime,
      events,
      ledger,
      ...(requests === undefined || runCount > 1 ? {} : { requests }),
      ...expected,
    });
  };
  return {
    runtime: countingRuntime,
    clock,
    events,
    ledger,
    check,
    run: (prompt = "Go.", expected = {}) => check(countingRuntime.run(session, prompt), expected),
    results: async () =>
      (await runtime.stores.sessions.load(session)).messages.flatMap((message) =>
        message.role === "tool" ? [message] : [],
      ),
    types: () => events.map(({ type }) => type),
    count: (type) => events.filter((event) => event.type === type).length,
  };
}

function shortSleep(manual: ManualClock): Clock["sleep"] {
  return (ms, signal) => (ms <= 60_000 ? manual.sleep(ms, signal) : machineClock.sleep(ms, signal));
}
