import { createGuardian, defaultPolicy, type Policy } from "../../packages/guardian/dist/index.js";
import { runRounds } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { recordingLines } from "./recordings.ts";
import { sha256 } from "./sha256.ts";

const PARTS = 40;

/** The part of a recorded run that a replay needs. */
interface RecordedRun {
  readonly steps: readonly {
    readonly text: string;
    readonly user?: boolean;
    readonly at?: number;
    readonly calls: readonly {
      readonly name: string;
      readonly args: unknown;
      readonly result: unknown;
      readonly isError: boolean | null;
      readonly at?: number;
    }[];
  }[];
}

/** How fast recordings go by; absolute, so only a rough idea. */
export interface Throughput {
  readonly runs: number;
  readonly calls: number;
  readonly runsPerSecond: number;
  readonly callsPerSecond: number;
}

/** Replays all recordings through the guardian, a part of them a round, against parsing the same lines. */
export function replay(): { readonly row: Row; readonly throughput: Throughput | null } {
  const lines = recordingLines();
  if (lines === undefined)
    return {
      row: missing("replay of recordings", "JSON.parse", "no recordings here (SHEEPDOG_DATA)"),
      throughput: null,
    };
  let calls = 0;
  for (const line of lines) for (const step of parse(line).steps) calls += step.calls.length;
  const taken = runRounds({
    contestants: [
      { name: "parse", run: (batch: readonly string[]) => batch.forEach(parse) },
      { name: "replay", run: (batch: readonly string[]) => batch.forEach((line) => void replayRun(parse(line))) },
    ],
    warmUps: 4,
    rounds: PARTS,
    batch: (round) => lines.filter((_, i) => i % PARTS === round % PARTS), // every part holds runs of all sources
  });
  const runsPerSecond = 1e6 / taken.micros("replay");
  const throughput = {
    runs: lines.length,
    calls,
    runsPerSecond,
    callsPerSecond: (runsPerSecond * calls) / lines.length,
  };
  return { row: row("replay of recordings", "JSON.parse", taken.ratio("replay", "parse")), throughput };
}

/** Everything is computed and nobody is stopped: a run that was recorded goes on to its end. */
const observing: Policy = { ...defaultPolicy, mode: "observe" };

function replayRun(run: RecordedRun): void {
  let at = 0;
  let calls = 0;
  const guardian = createGuardian({ policy: observing, digest: sha256, now: () => ++at });
  for (const step of run.steps) {
    if (step.user === true) guardian.userMessage("person");
    if (step.calls.length === 0) guardian.message(step.text);
    const first = calls;
    for (const call of step.calls) {
      at = Math.max(at, call.at ?? step.at ?? at);
      guardian.beforeCall({ id: `call_${calls++}`, tool: call.name, args: call.args });
    }
    for (const [i, call] of step.calls.entries()) {
      guardian.afterCall(`call_${first + i}`, { status: call.isError === true ? "error" : "ok", content: call.result });
    }
    guardian.endTurn();
  }
}

function parse(line: string): RecordedRun {
  return JSON.parse(line); // trajectory JSONL: the folder holds nothing else
}
