import { ratioOf } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import type { Taken } from "./child.ts";
import { bare, contestants, ours, peers } from "./contestants/index.ts";
import { longTurns, type Measured, shortTurns } from "./rounds.ts";

/** What a turn costs, against the bare loop and against peers, and whether that grows. */
export function loopRows(measured: Measured): readonly Row[] {
  const totals = (turns: number, name: string) =>
    (turns === shortTurns ? measured.short : measured.long).get(name)?.map(({ total }) => total);
  const against = (turns: number, one: string, other: string, goal?: number): Row => {
    const [what, to] = [`${one}, ${turns.toLocaleString("en-US")} turns`, other];
    const [mine, theirs] = [totals(turns, one), totals(turns, other)];
    if (mine === undefined || theirs === undefined)
      return missing(what, to, measured.missing.get(one) ?? measured.missing.get(other) ?? "not measured");
    const rounds = Math.min(mine.length, theirs.length);
    return row(what, to, ratioOf(mine.slice(0, rounds), theirs.slice(0, rounds)), goal);
  };
  const both = (one: string, other: string, goal?: number) =>
    [shortTurns, longTurns].map((turns) => against(turns, one, other, goal));
  return [
    ...both(ours, bare, 4),
    ...peers.flatMap((peer) => both(ours, peer, 1)),
    ...peers.flatMap((peer) => both(peer, bare)),
    ...Object.keys(contestants).map((name) => growth(measured, name)),
  ];
}

/** The first 200 turns are left out: there every contestant, the bare loop too, pays for waking up. */
function growth(measured: Measured, name: string): Row {
  const [what, to] = [`${name}, turns 1,801 to 2,000`, "turns 201 to 400"];
  const taken = measured.long.get(name);
  if (taken === undefined) return missing(what, to, measured.missing.get(name) ?? "not measured");
  const window = (at: number) => taken.map(({ windows }: Taken) => windows.at(at) ?? Number.NaN);
  return row(what, to, ratioOf(window(-1), window(1)), name === ours ? 1.1 : undefined);
}
