import { ratioOf } from "../../measure/rounds.ts";
import { missing, type Row, row } from "../../measure/row.ts";
import { baseline, claudeCode, codex, floor, ours } from "../programs.ts";
import { type FlagTimes, flags, peers, startName } from "./rounds.ts";

const floorGoals = { "--version": 1.3, "--help": 1.5 } as const satisfies Record<(typeof flags)[number], number>;

/** Programs without Node, which may print a version before Node itself has started. */
const withoutGoal = [claudeCode, codex];

/** Start time against Node alone, against the other build and against other agents. */
export function flagRows(times: FlagTimes): readonly Row[] {
  return [
    ...flags.map((flag) => compare(times, startName(ours, flag), floor.name, floorGoals[flag])),
    ...(baseline === undefined ? [] : [baseline]).flatMap((before) =>
      flags.map((flag) => compare(times, startName(ours, flag), startName(before, flag))),
    ),
    ...peers.flatMap((peer) =>
      flags.map((flag) =>
        compare(times, startName(ours, flag), startName(peer, flag), withoutGoal.includes(peer) ? undefined : 1),
      ),
    ),
    ...peers.flatMap((peer) => flags.map((flag) => compare(times, startName(peer, flag), floor.name))),
  ];
}

/** Compares the last rounds, in which both programs ran. */
function compare({ millis, missing: reasons }: FlagTimes, what: string, to: string, goal?: number): Row {
  const [whatMs, toMs] = [millis.get(what), millis.get(to)];
  if (whatMs === undefined || toMs === undefined)
    return missing(what, to, reasons.get(what) ?? reasons.get(to) ?? "not measured");
  const rounds = Math.min(whatMs.length, toMs.length);
  return row(what, to, ratioOf(whatMs.slice(-rounds), toMs.slice(-rounds)), goal);
}
