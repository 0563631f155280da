import type { Play } from "./contestant.ts";
import { contestants } from "./contestants/index.ts";
import { conversation } from "./conversation.ts";
import { startMeter } from "./meter.ts";

/** What a contestant's process is asked: to play so many turns. */
export interface Order {
  readonly turns: number;
}

/** What it answers, once when it is there and once for each order. */
export type Answer = { readonly type: "ready" } | { readonly type: "failed"; readonly why: string } | ({ readonly type: "played" } & Taken);

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
try {
  const play = await open();
  process.on("message", (order: Order) => {
    take(play, order).then((taken) => answer({ type: "played", ...taken }), failed);
  });
  answer({ type: "ready" });
} catch (error) {
  failed(error);
}

async function take(play: Play, { turns }: Order): Promise<Taken> {
  const wanted = conversation(turns);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const meter = startMeter();
  const played = await play(wanted, meter);
  const time = meter.end();
  globalThis.gc?.();
  const heldBytes = process.memoryUsage().heapUsed - before;
  if (played.calls !== turns || played.characters !== wanted.characters || played.kept === undefined)
    throw new Error(`Expected ${turns} calls and ${wanted.characters} characters; got ${played.calls} and ${played.characters}.`);
  return { ...time, heldBytes, peakBytes: process.resourceUsage().maxRSS * 1_024 };
}

function failed(error: unknown): void {
  answer({ type: "failed", why: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) });
}

function answer(message: Answer): void {
  process.send?.(message);
}
