import { createGuardian, defaultPolicy, type Policy } from "../../packages/guardian/dist/index.js";
import { runRounds } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { recordingLines } from "./recordings.ts";
import { sha256 } from "./sha256.ts";

const parts = 40;

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

/** Absolute speed of a replay. */
export interface Throughput {
  readonly runs: number;
  readonly calls: number;
  readonly runsPerSecond: number;
  readonly callsPerSecond: number;
}

/** Replays all recordings through the guardian, one part a round, against parsing the same lines. */
export function replay(): { readonly row: Row; readonly throughput: Throughput | null } {
  const [what, to] = ["replay of recordings", "JSON.parse"];
  const lines = recordingLines();
  if (lines === undefined) return { row: missing(what, to, "no recordings here (SHEEPDOG_DATA)"), throughput: null };
  let calls = 0;
  for (const line of lines) for (const step of parse(line).steps) calls += step.calls.length;
  const times = runRounds({
    contestants: [
      { name: "parse", run: (batch: readonly string[]) => batch.forEach(parse) },
      { name: "replay", run: (batch: readonly string[]) => batch.forEach((line) => void replayRun(parse(line))) },
    ],
    warmUps: 4,
    rounds: parts,
    batch: (round) => lines.filter((_, index) => index % parts === round % parts), // each part has runs of all sources
  });
  const runsPerSecond = 1e6 / times.micros("replay");
  const callsPerSecond = (runsPerSecond * calls) / lines.length;
  return {
    row: row(what, to, times.ratio("replay", "parse")),
    throughput: { runs: lines.length, calls, runsPerSecond, callsPerSecond },
  };
}

/** Never ends a run: a recorded run is replayed to its end. */
const observing: Policy = { ...defaultPolicy, mode: "observe" };

function replayRun(run: RecordedRun): void {
  let at = 0;
  let calls = 0;
  const guardian = createGuardian({ policy: observing, digest: sha256, now: () => ++at });
  for (const step of run.steps) {
    if (step.user === true) guardian.userMessage("person");
    if (step.calls.length === 0) guardian.message(step.text);
    const firstCall = calls;
    for (const call of step.calls) {
      at = Math.max(at, call.at ?? step.at ?? at);
      guardian.beforeCall({ id: `call_${calls++}`, tool: call.name, args: call.args });
    }
    for (const [index, call] of step.calls.entries()) {
      const status = call.isError === true ? "error" : "ok";
      guardian.afterCall(`call_${firstCall + index}`, { status, content: call.result });
    }
    guardian.endTurn();
  }
}

function parse(line: string): RecordedRun {
  return JSON.parse(line); // the folder contains trajectory JSONL only
}
