import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BasicReport } from "../measure/report.ts";
import { ratioOf } from "../measure/rounds.ts";
import { row } from "../measure/row.ts";
import { save } from "../measure/save.ts";
import { missed, tableOf, thousands, verdict } from "../measure/table.ts";
import { writeHistory } from "./history.ts";
import { measureProcess, type ProcessCost } from "./measure-process.ts";

const MEGABYTE = 1_000_000;
const megabytes = Number(process.argv.find((flag) => flag.startsWith("--megabytes="))?.split("=")[1] ?? 200);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? (megabytes > 500 ? 1 : 3));
const sheepdog = fileURLToPath(new URL("../../packages/sheepdog/bin/sheepdog.js", import.meta.url));
const reading = fileURLToPath(new URL("read.ts", import.meta.url));
const folder = mkdtempSync(join(process.env["BENCH_FOLDER"] ?? tmpdir(), "look-back-"));

interface Round {
  readonly plain: number;
  readonly readers: number;
  readonly first: ProcessCost;
  readonly second: ProcessCost;
  readonly readersRssMb: number;
}

async function runRound(round: number): Promise<Round> {
  const env = { HOME: folder, SHEEPDOG_HOME: join(folder, `home-${round}`) };
  const read = async (mode: "plain" | "readers") => {
    const cost = await measureProcess(["--import", "tsx", reading, mode, join(folder, ".claude")]);
    return { ...cost, ...(JSON.parse(cost.stdout) as { readonly cpuMs: number }) }; // what read.ts prints
  };
  const look = () => measureProcess([sheepdog, "analyze", join(folder, ".claude"), "--json"], env);
  const plain = await read("plain");
  const readers = await read("readers");
  const first = await look();
  const second = await look();
  if (saidBy(first) !== saidBy(second)) throw new Error("Expected the second look to say the same as the first.");
  return { plain: plain.cpuMs, readers: readers.cpuMs, first, second, readersRssMb: readers.maxRssMb };
}

/** What a look back found. How long it took is in `scan`. */
function saidBy({ stdout }: ProcessCost): string {
  return stdout.replace(/"scan":.*$/s, "");
}

try {
  const history = writeHistory(folder, megabytes * MEGABYTE);
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`bench: round ${round} of ${rounds}`);
    all.push(await runRound(round));
  }
  const times = (timeOf: (round: Round) => number) => all.map(timeOf);
  const peak = (rssOf: (round: Round) => number) => Math.max(...all.map(rssOf));
  const readersRatio = ratioOf(
    times(({ readers }) => readers),
    times(({ plain }) => plain),
  );
  const secondRatio = ratioOf(
    times(({ second }) => second.ms),
    times(({ first }) => first.ms),
  );
  const report: BasicReport<"look-back"> & { readonly megabytes: number; readonly peakRssMb: object } = {
    benchmark: "look-back",
    date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    method:
      "A synthetic history of Claude Code on a warm disk. Reading: processor time of a process that reads all of it. " +
      "Looks: time on the clock of a whole `sheepdog analyze --json`. Medians over rounds of the ratio in a round.",
    megabytes: history.bytes / MEGABYTE,
    rows: [
      row("reading with the readers", "split lines + JSON.parse", readersRatio, 2),
      row("the second look", "the first look", secondRatio, 0.05),
    ],
    peakRssMb: {
      readers: peak(({ readersRssMb }) => readersRssMb),
      firstLook: peak(({ first }) => first.maxRssMb),
      secondLook: peak(({ second }) => second.maxRssMb),
    },
  };
  const rate = (ms: number) => `${thousands(history.bytes / 1_000 / ms)} MB/s`;
  const last = all.at(-1);
  const now =
    last === undefined
      ? []
      : [
          `split lines + JSON.parse: ${rate(last.plain)}; readers: ${rate(last.readers)}`,
          `first look: ${thousands(last.first.ms)} ms, ${rate(last.first.ms)}; second: ${thousands(last.second.ms)} ms`,
          ...Object.entries(report.peakRssMb).map(([what, mb]) => `peak memory of ${what}: ${thousands(mb)} MB`),
        ];
  process.stdout.write(
    [
      `Look back over ${history.files} files, ${thousands(report.megabytes)} MB; Node ${report.node}. ${report.method}`,
      ...["", ...tableOf(report.rows), "", "On this machine, now:", ...now, "", verdict(report.rows), ""],
    ].join("\n"),
  );
  save(report);
  if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
