import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { missing, type Row, row } from "../measure/row.ts";
import type { Place } from "./contestant.ts";
import { handWrittenName, langgraphName, oursName } from "./contestants/index.ts";
import { freshFolder, removeFolder } from "./folder.ts";

/** Syncs are counted in two conversations; what the longer one has more belongs to its turns, and opening and closing fall out. */
const [few, many] = [100, 500];

/** How often a turn has the disk sync, as strace counts it. These conversations are not timed. */
export function syncRows(): readonly Row[] {
  return [
    syncRow(oursName, "read", 1.1),
    syncRow(oursName, "mutate", 2.1),
    syncRow(handWrittenName, "read"),
    syncRow(langgraphName, "read"),
  ];
}

function syncRow(name: string, kind: Place["kind"], goal?: number): Row {
  const [what, to] = [`${name}, syncs, tool that ${kind === "read" ? "reads" : "changes something"}`, "turns"];
  const [short, long] = [syncsOf(name, few, kind), syncsOf(name, many, kind)];
  if (typeof short === "string") return missing(what, to, short);
  if (typeof long === "string") return missing(what, to, long);
  const perTurn = (long - short) / (many - few);
  return row(what, to, { median: perTurn, low: perTurn, high: perTurn, rounds: 1 }, goal);
}

/** How many syncs a conversation makes from start to end; a sentence where they cannot be counted. */
function syncsOf(name: string, turns: number, kind: Place["kind"]): number | string {
  const folder = freshFolder();
  try {
    const table = join(folder, "strace.txt");
    const node = [
      process.execPath,
      "--import",
      "tsx",
      fileURLToPath(new URL("once.ts", import.meta.url)),
      name,
      String(turns),
      kind,
      folder,
    ];
    const { status, error, stderr } = spawnSync(
      "strace",
      ["-f", "-c", "-e", "trace=fsync,fdatasync", "-o", table, ...node],
      { encoding: "utf8" },
    );
    if (error !== undefined) return "there is no strace here";
    if (status !== 0)
      return `cannot be used here: ${stderr.split("\n").find((line) => line.includes("Error")) ?? `it ended with ${status}`}`;
    return countedIn(readFileSync(table, "utf8"));
  } finally {
    removeFolder(folder);
  }
}

/** The calls of a table of strace: share, seconds, microseconds a call, calls, errors where there are any, name. */
function countedIn(table: string): number {
  const lines = table.split("\n").map((line) => line.trim().split(/\s+/));
  return lines
    .filter((cells) => ["fsync", "fdatasync"].includes(cells.at(-1) ?? ""))
    .reduce((sum, cells) => sum + Number(cells[3]), 0);
}
