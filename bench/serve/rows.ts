import { median } from "../measure/median.ts";
import { exactRatio, type Ratio, ratioOf } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";
import { load } from "./load.ts";
import type { Phase, Round } from "./round.ts";
import type { RunsResult } from "./runs/child.ts";

const clients = `${load.clients.toLocaleString("en-US")} clients`;
const clientsAndUnread = `${clients} and ${load.unread} that never read`;
const alone = "runs alone";

/** The compared figures, and their goals. */
export function rowsOf(rounds: readonly Round[]): readonly Row[] {
  const ratio = (value: (round: Round) => number, divisor: (round: Round) => number): Ratio =>
    ratioOf(rounds.map(value), rounds.map(divisor));
  const turn = (phase: "idle" | "following" | "unread", to: "alone" | "following") =>
    ratio(
      (round) => median(round[phase].turns),
      (round) => median(round[to].turns),
    );
  const cpu = (phase: "following" | "unread") =>
    ratio(
      (round) => cpuPerTurn(round[phase]),
      (round) => cpuPerTurn(round.alone),
    );
  const seconds = (ms: (round: Round) => number) => ratio(ms, () => 1_000);
  const memory = (megabytes: (round: Round) => number) => ratio(megabytes, () => 400);
  const sent = rounds.reduce((sum, { messages }) => sum + messages * load.clients, 0);
  return [
    row("a turn, server without clients", alone, turn("idle", "alone")),
    row(`a turn, ${clients}`, alone, turn("following", "alone"), 1.5),
    row(`a turn, ${clientsAndUnread}`, alone, turn("unread", "alone"), 1.5),
    row(`a turn, ${clientsAndUnread}`, clients, turn("unread", "following"), 1.25),
    row(`processor time of a turn, ${clients}`, alone, cpu("following"), 1.25),
    row(`processor time of a turn, ${clientsAndUnread}`, alone, cpu("unread"), 1.25),
    row(
      `p95 of a saved event, ${clients}`,
      "1 s",
      seconds(({ following }) => p95(following)),
      1,
    ),
    row(
      `p95 of a saved event, ${clientsAndUnread}`,
      "1 s",
      seconds(({ unread }) => p95(unread)),
      1,
    ),
    row(
      `memory, ${clients}`,
      "400 MB",
      memory(({ following }) => following.serverMemory),
      1,
    ),
    row(
      `memory, ${clientsAndUnread}`,
      "400 MB",
      memory(({ unread }) => unread.serverMemory),
      1,
    ),
    row(
      "memory after they left",
      "400 MB",
      memory(({ memoryAfter }) => memoryAfter),
      1,
    ),
    row(
      `${clients} reconnect at once`,
      "1 s",
      seconds(({ reconnectMs }) => reconnectMs),
      5,
    ),
    row("saved messages lost, doubled or wrong", "sent", exactRatio(rounds.reduce(addFaults, 0) / sent), 0),
  ];
}

function cpuPerTurn({ cpuMs, turns }: RunsResult): number {
  return cpuMs / turns.length;
}

function p95({ clients: { savedLatency } }: Phase): number {
  return savedLatency?.p95 ?? Number.NaN;
}

function addFaults(sum: number, { check: { faults } }: Round): number {
  return sum + faults.lost + faults.doubled + faults.misplaced + faults.different;
}
