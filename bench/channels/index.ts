import { createServer, type Server, type Socket } from "node:net";
import { median } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { ratioOf } from "../measure/rounds.ts";
import { row } from "../measure/row.ts";
import { save } from "../measure/save.ts";
import { missed, tableOf, thousands, verdict } from "../measure/table.ts";
import { runOnce } from "./run-once.ts";

/** A server that accepts connections and never answers: the worst kind of dead. */
const sockets = new Set<Socket>();
const silent = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => {}).on("close", () => sockets.delete(socket));
});
await new Promise<void>((resolve) => {
  silent.listen(0, "127.0.0.1", resolve);
});
/** Nothing listens there any more. */
const closed = createServer();
await new Promise<void>((resolve) => {
  closed.listen(0, "127.0.0.1", resolve);
});
const [port, closedPort] = [portOf(silent), portOf(closed)];
closed.close();

/** Everything is told, the start and each hint too. */
const channel = (url: string) =>
  [
    "[channels.dead]",
    'type = "ntfy"',
    'to = "bench"',
    `api_url = "${url}"`,
    'events = ["start", "hint", "end"]',
    "",
  ].join("\n");
const [none, silentName, refusedName] = ["no channel", "a channel that never answers", "a channel that is refused"];
const configs: Readonly<Record<string, string>> = {
  [none]: "",
  [silentName]: channel(`http://127.0.0.1:${port}`),
  [refusedName]: channel(`http://127.0.0.1:${closedPort}`),
};
const names = Object.keys(configs);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 15);

const measured = [];
for (const run of [
  { turns: 10, replyMs: 300, goal: 1.05 },
  { turns: 25, replyMs: 0, goal: 1.25 },
]) {
  console.error(`bench: runs of ${run.turns} turns with a model that takes ${run.replyMs} ms`);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1)
    for (const position of names.keys()) {
      const name = names[(position + round + 1) % names.length] ?? none;
      const ms = await runOnce({ ...run, config: configs[name] ?? "" });
      if (round >= 0) times.get(name)?.push(ms);
    }
  measured.push({ ...run, times: (name: string) => times.get(name) ?? [] });
}
for (const socket of sockets) socket.destroy();
silent.close();

const report: BasicReport<"channels"> = {
  benchmark: "channels",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Time on the clock of whole processes of `sheepdog run`, each in a fresh home; contestants take turns; " +
    "each ratio is the median over rounds of the ratio within a round.",
  rows: measured.flatMap(({ turns, replyMs, goal, times }) =>
    [silentName, refusedName].map((name) =>
      row(`${name}, ${turns} turns of ${replyMs} ms`, none, ratioOf(times(name), times(none)), goal),
    ),
  ),
};
const absolute = measured.map(
  ({ turns, replyMs, times }) =>
    `${turns} turns of ${replyMs} ms: ` +
    names.map((name) => `${name} ${thousands(median(times(name)))} ms`).join(", "),
);
process.stdout.write(
  [
    `Channels, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...absolute,
    "",
    verdict(report.rows),
    "",
  ].join("\n"),
);
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("Expected a server that listens on a port.");
  return address.port;
}
