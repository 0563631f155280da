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
import { type CheckedRun, checkRun } from "./run-checks.ts";
import { type ManualClock, manualClock } from "./test-runtime.ts";

/** A model that remembers its requests, as the scripted one does. */
type Asked = Model & { readonly requests?: readonly unknown[] };

/** A runtime of which everything is written down, for the oracle. */
export interface TestAgent {
  readonly runtime: Runtime;
  readonly clock: ManualClock;
  readonly events: AgentEvent[];
  readonly ledger: CostRow[];
  /** Runs a prompt to its end and holds it against the oracle. */
  run(prompt?: string, more?: Partial<CheckedRun>): Promise<RunResult>;
  /** The same for a run that goes on. */
  check(run: Run, more?: Partial<CheckedRun>): Promise<RunResult>;
  /** The status and the content of all results in the store. */
  results(): Promise<readonly { readonly status: string; readonly content: string; readonly tool: string }[]>;
  /** The types of all events. */
  types(): readonly string[];
  count(type: AgentEvent["type"]): number;
}

export const session = "ses_1";

/** A thousandth of a cent for a thousand tokens or so. */
const price: NonNullable<RuntimeOptions["price"]> = (_model, { input, output }) => (input + output) * 1_000;

/** Makes a runtime to try things with. Waits up to a minute take no time; longer ones, the limits of tools, are real. */
export function testAgent(
  models: Asked | readonly Asked[],
  tools: readonly Tool[] = [],
  more: Partial<RuntimeOptions> = {},
): TestAgent {
  const all: readonly Asked[] = "doStream" in models ? [models] : models;
  const hand = manualClock();
  const clock: ManualClock = { ...hand, sleep: patient(hand), after: machineClock.after };
  const ledger: CostRow[] = [];
  const stores = more.stores ?? memoryStores();
  const commit: SessionStore["commit"] = async (lease, written) => {
    await stores.sessions.commit(lease, written);
    ledger.push(...(written.costs ?? []).filter(({ usage }) => usage.input + usage.output > 0)); // an attempt that failed before its first word is free
  };
  const runtime = createRuntime({
    models: all,
    tools,
    clock,
    gate: open,
    price,
    ...more,
    stores: { ...stores, sessions: { ...stores.sessions, commit } },
  });
  const events: AgentEvent[] = [];
  runtime.bus.subscribe((event) => void events.push(event));
  const requests = () =>
    all.every((model) => model.requests !== undefined)
      ? all.reduce((sum, model) => sum + (model.requests?.length ?? 0), 0)
      : undefined;
  const check = async (run: Run, about: Partial<CheckedRun> = {}) => {
    await run.result;
    const asked = requests();
    return checkRun({
      run,
      runtime,
      events,
      ledger,
      ...(asked === undefined || ran > 1 ? {} : { requests: asked }),
      ...about,
    });
  };
  let ran = 0;
  const start = runtime.run;
  const counting: Runtime = {
    ...runtime,
    run(sessionId, prompt) {
      ran += 1;
      return start(sessionId, prompt);
    },
  };
  return {
    runtime: counting,
    clock,
    events,
    ledger,
    check,
    run: (prompt = "Go.", about = {}) => check(counting.run(session, prompt), about),
    results: async () =>
      (await runtime.stores.sessions.load(session)).messages.flatMap((message) =>
        message.role === "tool" ? [message] : [],
      ),
    types: () => events.map(({ type }) => type),
    count: (type) => events.filter((event) => event.type === type).length,
  };
}

function patient(hand: ManualClock): Clock["sleep"] {
  return (ms, signal) => (ms <= 60_000 ? hand.sleep(ms, signal) : machineClock.sleep(ms, signal));
}

/** Lets everything pass: the gate has tests of its own. */
const open: NonNullable<RuntimeOptions["gate"]> = {
  decide: async () => ({ tier: 0, decision: "allow", reason: "a test" }),
};
