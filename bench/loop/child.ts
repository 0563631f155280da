import { serve } from "../measure/serve.ts";
import { checkPlayed, type Play } from "./contestant.ts";
import { contestants } from "./contestants/index.ts";
import { conversation } from "./conversation.ts";
import { startMeter } from "./meter.ts";

/** What a contestant's process is asked: to play so many turns. */
export interface Order {
  readonly turns: number;
}

/** What a conversation took. */
export interface Taken {
  /** Microseconds of processor time, in all and by windows of 200 turns. */
  readonly total: number;
  readonly windows: readonly number[];
  /** Bytes that are still held when the conversation is over, and the most the process ever had. */
  readonly heldBytes: number;
  readonly peakBytes: number;
}

// One process for each contestant, so that nobody pays for the garbage and the types of another.
const name = process.argv[2] ?? "";
const open = contestants[name];
if (open === undefined) throw new Error(`Expected one of ${Object.keys(contestants).join(", ")}; got ${name}.`);
await serve<Order, Taken>(async () => {
  const play = await open();
  return (order) => take(play, order);
});

async function take(play: Play, { turns }: Order): Promise<Taken> {
  const wanted = conversation(turns);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const meter = startMeter();
  const played = await play(wanted, meter);
  const { total, windows } = meter.end();
  globalThis.gc?.();
  const heldBytes = process.memoryUsage().heapUsed - before;
  checkPlayed(played, wanted);
  return { total, windows, heldBytes, peakBytes: process.resourceUsage().maxRSS * 1_024 };
}
