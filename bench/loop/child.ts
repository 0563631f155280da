import { serveTasks } from "../measure/serve-tasks.ts";
import { checkComplete, type RunConversation } from "./contestant.ts";
import { contestants } from "./contestants/index.ts";
import { conversation } from "./conversation.ts";
import { startMeter, type Times } from "./meter.ts";

/** A conversation to run. */
export interface Task {
  readonly turns: number;
  /** 500 unless set. */
  readonly resultBytes?: number;
}

/** What a conversation took. */
export interface Measurement extends Times {
  /** Microseconds of processor time in which the contestant was loaded, before its first conversation. */
  readonly loadMicros: number;
  /** Heap that is still in use after the conversation. */
  readonly heldBytes: number;
  /** The largest resident set of the process so far. */
  readonly peakBytes: number;
}

// One process for each contestant, so that none pays for the garbage and the types of another.
const name = process.argv[2] ?? "";
const load = contestants[name];
if (load === undefined) throw new Error(`Expected one of ${Object.keys(contestants).join(", ")}; got ${name}.`);
await serveTasks<Task, Measurement>(async () => {
  const meter = startMeter();
  const run = await load();
  const loadMicros = meter.end().cpuMicros;
  return async (task) => ({ loadMicros, ...(await measure(run, task)) });
});

async function measure(run: RunConversation, { turns, resultBytes }: Task): Promise<Omit<Measurement, "loadMicros">> {
  const script = conversation(turns, resultBytes);
  globalThis.gc?.();
  const heapBytes = process.memoryUsage().heapUsed;
  const meter = startMeter();
  const outcome = await run(script, meter);
  const times = meter.end();
  globalThis.gc?.();
  const heldBytes = process.memoryUsage().heapUsed - heapBytes;
  checkComplete(outcome, script);
  return { ...times, heldBytes, peakBytes: process.resourceUsage().maxRSS * 1_024 };
}
