import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exactRatio } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { databaseName, type Storage } from "./contestant.ts";
import { baselineName, contestants, handWrittenName, langgraphName, oursName } from "./contestants/index.ts";
import { createFolder, removeFolder } from "./folder.ts";
import type { Measurement } from "./run-once.ts";

/** The difference of two conversations belongs to their turns: opening and closing the database cancels out. */
const [fewTurns, manyTurns] = [100, 500];

/** What a byte of JSON in the history may cost on the disk. */
const maxBytesPerJsonByte = 1.4;

/** What a turn writes to the disk. */
export interface DiskWrites {
  readonly name: string;
  readonly kind: Storage["kind"];
  /** Calls of fsync and fdatasync. */
  readonly syncs: number;
  /** Bytes written to the database and its write-ahead log. */
  readonly writtenBytes: number;
  /** Bytes of JSON that the history grows by. */
  readonly historyBytes: number;
  /** Bytes of JSON of the checkpoint at the end. */
  readonly checkpointBytes: number;
}

/** Rows and numbers of a turn's writes, as strace counts them. These conversations are not timed. */
export function measureDiskWrites(): { readonly rows: readonly Row[]; readonly writes: readonly DiskWrites[] } {
  const ours = writesOf(oursName, "read");
  const before = baselineName in contestants ? [writesOf(baselineName, "read")] : [];
  const handWritten = writesOf(handWrittenName, "read");
  const all = [ours, writesOf(oursName, "mutate"), ...before, handWritten, writesOf(langgraphName, "read")];
  return {
    rows: [
      ...all.map(syncRow),
      ...[ours, ...before, handWritten].map(amplificationRow),
      compare(ours, handWritten, { what: "bytes written for each byte saved", value: amplification, goal: 1.1 }),
      ...before.map((baseline) =>
        compare(ours, baseline, { what: "bytes written a turn", value: ({ writtenBytes }) => writtenBytes }),
      ),
    ],
    writes: all.filter((writes): writes is DiskWrites => !("problem" in writes)),
  };
}

type Unmeasured = Pick<DiskWrites, "name" | "kind"> & { readonly problem: string };

const syncGoals = { read: 1.1, mutate: 2.1 } as const satisfies Record<Storage["kind"], number>;

function syncRow(writes: DiskWrites | Unmeasured): Row {
  const { name, kind } = writes;
  const what = `${name}, syncs, tool that ${kind === "read" ? "reads" : "changes something"}`;
  if ("problem" in writes) return missing(what, "turns", writes.problem);
  return row(what, "turns", exactRatio(writes.syncs), name === oursName ? syncGoals[kind] : undefined);
}

function amplificationRow(writes: DiskWrites | Unmeasured): Row {
  const what = `${writes.name}, bytes written a turn`;
  const to = `${maxBytesPerJsonByte} × JSON of the history + checkpoint`;
  if ("problem" in writes) return missing(what, to, writes.problem);
  return row(what, to, exactRatio(amplification(writes)));
}

/** SQLite writes whole pages, first to its log, so this is above 1 even for the hand-written loop. */
function amplification({ writtenBytes, historyBytes, checkpointBytes }: DiskWrites): number {
  return writtenBytes / (maxBytesPerJsonByte * historyBytes + checkpointBytes);
}

interface Comparison {
  readonly what: string;
  readonly value: (writes: DiskWrites) => number;
  readonly goal?: number;
}

function compare(ours: DiskWrites | Unmeasured, other: DiskWrites | Unmeasured, comparison: Comparison): Row {
  const what = `${ours.name}, ${comparison.what}`;
  if ("problem" in ours) return missing(what, other.name, ours.problem);
  if ("problem" in other) return missing(what, other.name, other.problem);
  const ratio = comparison.value(ours) / comparison.value(other);
  return row(what, other.name, exactRatio(ratio), comparison.goal);
}

function writesOf(name: string, kind: Storage["kind"]): DiskWrites | Unmeasured {
  const [few, many] = [traceConversation(name, fewTurns, kind), traceConversation(name, manyTurns, kind)];
  if (typeof few === "string") return { name, kind, problem: few };
  if (typeof many === "string") return { name, kind, problem: many };
  const perTurn = (value: (traced: Traced) => number) => (value(many) - value(few)) / (manyTurns - fewTurns);
  return {
    name,
    kind,
    syncs: perTurn(({ syncs }) => syncs),
    writtenBytes: perTurn(({ writtenBytes }) => writtenBytes),
    historyBytes: perTurn(({ json }) => json.history),
    checkpointBytes: many.json.checkpoint,
  };
}

interface Traced extends Pick<Measurement, "json"> {
  readonly syncs: number;
  readonly writtenBytes: number;
}

/** Traces a conversation from start to end; returns a sentence when that is not possible. */
function traceConversation(name: string, turns: number, kind: Storage["kind"]): Traced | string {
  const folder = createFolder();
  try {
    const trace = join(folder, "strace.txt");
    const script = fileURLToPath(new URL("once.ts", import.meta.url));
    const node = [process.execPath, "--import", "tsx", script, name, String(turns), kind, folder];
    const { status, error, stdout, stderr } = spawnSync(
      "strace",
      ["-f", "-y", "-s", "0", "-e", "trace=fsync,fdatasync,write,pwrite64", "-o", trace, ...node],
      { encoding: "utf8" },
    );
    if (error !== undefined) return "strace is not installed";
    const errorLine = stderr.split("\n").find((line) => line.includes("Error"));
    if (status !== 0) return `cannot be used here: ${errorLine ?? `exit code ${status}`}`;
    const { json } = JSON.parse(stdout) as Measurement; // what once.ts prints
    return { json, ...countWrites(readFileSync(trace, "utf8")) };
  } finally {
    removeFolder(folder);
  }
}

/** Counts in a trace with lines such as `7 pwrite64(20</folder/state.db-wal>, ""..., 4120, 0) = 4120`. */
function countWrites(trace: string): Omit<Traced, "json"> {
  const writes = [...trace.matchAll(/\b(?:write|pwrite64)\(\d+<([^>]*)>, "[^"]*"\.*, (\d+)/g)];
  const databaseWrites = writes.filter(([, path = ""]) => path.includes(`/${databaseName}`));
  return {
    syncs: [...trace.matchAll(/\b(?:fsync|fdatasync)\(/g)].length,
    writtenBytes: databaseWrites.reduce((sum, [, , bytes]) => sum + Number(bytes), 0),
  };
}
