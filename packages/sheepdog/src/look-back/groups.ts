import type { LookBack } from "./look-back.ts";
import type { LookBackRun } from "./look-back-run.ts";

/** What the runs of a look back can be divided by. */
export const groupings = ["cause", "tool", "model", "project", "agent", "hour", "day", "week", "month"] as const;

/** One of them. */
export type Grouping = (typeof groupings)[number];

/** Those by time, which are ordered by it. */
export const timeGroupings: ReadonlySet<Grouping> = new Set(["hour", "day", "week", "month"]);

/** What the groups are ordered by: what went in circles, or all that was spent. */
export type GroupOrder = "circles" | "spent";

/** The sums of one cause, tool, model, project, agent or time. */
export interface Group {
  /** The name; "" for what has none. Local time: an hour is `00` to `23`, a day `2026-11-03`, a week its Monday. */
  readonly name: string;
  readonly runs: number;
  readonly calls: number;
  readonly nanoUsd: number;
  readonly stuckRuns: number;
  readonly stuckCalls: number;
  readonly stuckNanoUsd: number;
}

type Draft = { -readonly [K in keyof Group]: Group[K] };
type Part = Omit<Group, "runs" | "stuckRuns">;

/**
 * Divides the calls and costs of all runs; dearest loops first, then the dearest groups. The groups add up to the
 * totals; only the causes are about loops alone. All of a subagent that was started in circles is stuck.
 */
export function groupsBy(
  { runs, insideLoops }: Pick<LookBack, "runs" | "insideLoops">,
  by: Grouping,
  order: GroupOrder = "circles",
): readonly Group[] {
  const groups = new Map<string, Draft>();
  for (const run of runs) {
    const isInside = insideLoops.has(run.id);
    const parts = by === "cause" && isInside ? [] : partsOf(run, by);
    const sums = new Map<string, Draft>();
    for (const part of parts) addPart(sums, isInside ? allStuck(part) : part);
    for (const sum of sums.values()) {
      const isStuck = !isInside && (sum.stuckCalls > 0 || sum.stuckNanoUsd > 0);
      addGroup(groups, { ...sum, runs: 1, stuckRuns: isStuck ? 1 : 0 });
    }
  }
  return [...groups.values()].toSorted(
    (a, b) =>
      (order === "circles" ? b.stuckNanoUsd - a.stuckNanoUsd : 0) ||
      b.nanoUsd - a.nanoUsd ||
      (order === "circles" ? b.stuckCalls - a.stuckCalls : 0) ||
      b.calls - a.calls ||
      (a.name < b.name ? -1 : 1),
  );
}

function allStuck(part: Part): Part {
  return { ...part, stuckCalls: part.calls, stuckNanoUsd: part.nanoUsd };
}

function partsOf(run: LookBackRun, by: Grouping): readonly Part[] {
  switch (by) {
    case "cause":
      return run.episodes.map(({ detector, repeats, subagentCalls = 0, costUsd }) => {
        const calls = repeats + subagentCalls;
        const nanoUsd = Math.round((costUsd ?? 0) * 1e9);
        return { name: detector, calls, nanoUsd, stuckCalls: calls, stuckNanoUsd: nanoUsd };
      });
    case "tool":
      return run.shares.tools.map(({ of, ...share }) => ({ name: of, ...share }));
    case "model":
      return run.shares.models.map(({ of, ...share }) => ({ name: of, ...share }));
    case "hour":
      return run.shares.hours.map(({ of, ...share }) => ({ name: hourName(of), ...share }));
    case "day":
      return run.shares.hours.map(({ of, ...share }) => ({ name: dayName(of), ...share }));
    case "week":
      return run.shares.hours.map(({ of, ...share }) => ({ name: weekName(of), ...share }));
    case "month":
      return run.shares.hours.map(({ of, ...share }) => ({ name: dayName(of).slice(0, 7), ...share }));
    case "project":
      return wholeRun(run, run.folder ?? "");
    case "agent":
      return wholeRun(run, run.source);
    default:
      return by satisfies never;
  }
}

function wholeRun({ shares }: LookBackRun, name: string): readonly Part[] {
  return shares.models.map(({ of: _, ...share }) => ({ name, ...share }));
}

function hourName(at: string): string {
  return at === "" ? "" : String(new Date(Number(at)).getHours()).padStart(2, "0");
}

/** The Monday of the week. */
function weekName(at: string): string {
  if (at === "") return "";
  const date = new Date(Number(at));
  return dateName(new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7)));
}

function dayName(at: string): string {
  return at === "" ? "" : dateName(new Date(Number(at)));
}

function dateName(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((number) => String(number).padStart(2, "0"));
  return `${date.getFullYear()}-${month}-${day}`;
}

function addPart(sums: Map<string, Draft>, part: Part): void {
  addGroup(sums, { ...part, runs: 0, stuckRuns: 0 });
}

function addGroup(groups: Map<string, Draft>, added: Group): void {
  const group = groups.get(added.name);
  if (group === undefined) {
    groups.set(added.name, { ...added });
    return;
  }
  group.runs += added.runs;
  group.calls += added.calls;
  group.nanoUsd += added.nanoUsd;
  group.stuckRuns += added.stuckRuns;
  group.stuckCalls += added.stuckCalls;
  group.stuckNanoUsd += added.stuckNanoUsd;
}
