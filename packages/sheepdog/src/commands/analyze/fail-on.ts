import { type Level, levels } from "@sheepdog/guardian";
import type { LookBack } from "../../look-back/look-back.ts";
import { lookBackTotals } from "../../look-back/look-back-totals.ts";

/** A condition of `--fail-on`: an intervention of a level, or a share of what went in circles. */
export type FailOn =
  | { readonly type: "level"; readonly minRank: number }
  | { readonly type: "stuck"; readonly percent: number };

/** The conditions, or sentences about those that are wrong. */
type ReadFailOn =
  | { readonly ok: true; readonly value: readonly FailOn[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the values of `--fail-on`. */
export function readFailOn(texts: readonly string[] = []): ReadFailOn {
  const read = texts.map((text) => readCondition(text) ?? wrongValue(text));
  const problems = read.filter((each) => typeof each === "string");
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, value: read.filter((each) => typeof each !== "string") };
}

function readCondition(text: string): FailOn | undefined {
  const word = text.trim();
  if (word === "any") return { type: "level", minRank: 0 };
  const minRank = levels.indexOf(word as Level); // -1 for every other word
  if (minRank >= 0) return { type: "level", minRank };
  const percent = /^stuck *> *(?<percent>\d{1,3}(?:\.\d+)?) *%$/.exec(word)?.groups?.["percent"];
  return percent === undefined || Number(percent) > 100 ? undefined : { type: "stuck", percent: Number(percent) };
}

function wrongValue(text: string): string {
  return `--fail-on ${text}: it must be ${levels.join(", ")}, any, or a share such as 'stuck>10%'`;
}

/** Whether any condition is met. */
export function isFailure(lookBack: LookBack, conditions: readonly FailOn[]): boolean {
  return conditions.some((condition) =>
    condition.type === "level" ? reachesLevel(lookBack, condition.minRank) : isStuckAbove(lookBack, condition.percent),
  );
}

function reachesLevel({ runs }: LookBack, minRank: number): boolean {
  return runs.some(({ report }) => report.interventions.some(({ level }) => levels.indexOf(level) >= minRank));
}

/** The share of the cost or of the calls, whichever is higher. */
function isStuckAbove(lookBack: LookBack, percent: number): boolean {
  const { calls, stuckCalls, costUsd, stuckUsd } = lookBackTotals(lookBack);
  return stuckCalls * 100 > percent * calls || (stuckUsd ?? 0) * 100 > percent * (costUsd ?? 0);
}
