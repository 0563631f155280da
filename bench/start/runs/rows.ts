import { ratioOf } from "../../measure/rounds.ts";
import { missing, type Row, row } from "../../measure/row.ts";
import { type Agent, baselineAgent, ourAgents, peerAgents } from "./agents.ts";
import type { MeasuredRuns } from "./measure.ts";
import type { AgentRun } from "./run-agent.ts";

const measures = [
  { title: "to the first request", value: ({ firstRequestMs }: AgentRun) => firstRequestMs },
  { title: "CPU of a run of 25 turns", value: ({ cpuMs }: AgentRun) => cpuMs },
] as const;

/** Sheepdog's complete runs against those of other agents and of the other build, in the same wire format. */
export function runRows(measured: MeasuredRuns): readonly Row[] {
  const others = [...(baselineAgent === undefined ? [] : [baselineAgent]), ...peerAgents];
  return measures.flatMap((measure) => others.map((other) => compare(measured, other, measure)));
}

function compare(
  { runs, missing: reasons }: MeasuredRuns,
  other: Agent,
  { title, value }: (typeof measures)[number],
): Row {
  const own = ourAgents.find(({ format }) => format === other.format)?.name ?? "";
  const [what, to] = [`sheepdog run, ${title}`, `${other.program.name}, ${other.format}`];
  const [ownRuns, otherRuns] = [runs[own], runs[other.name]];
  if (ownRuns === undefined || otherRuns === undefined)
    return missing(what, to, reasons[own] ?? reasons[other.name] ?? "not measured");
  return row(what, to, ratioOf(ownRuns.map(value), otherRuns.map(value)), other === baselineAgent ? undefined : 1);
}
