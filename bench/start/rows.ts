import { ratioOf } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { flags, floor, ours, peers } from "./contestants.ts";
import { type Measured, startName } from "./rounds.ts";

const goals = { "--version": 1.3, "--help": 1.5 } as const satisfies Record<(typeof flags)[number], number>;

/** How long a start takes, against Node alone and against other agents. */
export function startRows(measured: Measured): readonly Row[] {
  return [
    ...flags.map((flag) => against(measured, startName(ours, flag), floor.name, goals[flag])),
    ...peers.flatMap((peer) => flags.map((flag) => against(measured, startName(ours, flag), startName(peer, flag), 1))),
    ...peers.flatMap((peer) => flags.map((flag) => against(measured, startName(peer, flag), floor.name))),
  ];
}

/** Peers take part in the last rounds only. */
function against({ millis, missing: why }: Measured, what: string, to: string, goal?: number): Row {
  const [mine, theirs] = [millis.get(what), millis.get(to)];
  if (mine === undefined || theirs === undefined)
    return missing(what, to, why.get(what) ?? why.get(to) ?? "not measured");
  const rounds = Math.min(mine.length, theirs.length);
  return row(what, to, ratioOf(mine.slice(-rounds), theirs.slice(-rounds)), goal);
}
