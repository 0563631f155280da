import { type Level, levels } from "@sheepdog/guardian";
import type { LookBack } from "../../look-back/look-back.ts";
import { type LookBackTotals, lookBackTotals } from "../../look-back/look-back-totals.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { usdText } from "../../sentences/amount-text.ts";

/** A condition of `--fail-on`: an intervention of a level, or a share of what went in circles. */
export type FailOn =
  | { readonly type: "level"; readonly text: string; readonly minRank: number }
  | { readonly type: "stuck"; readonly text: string; readonly percent: number };

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
  if (word === "any") return { type: "level", text: word, minRank: 0 };
  const minRank = levels.indexOf(word as Level); // -1 for every other word
  if (minRank >= 0) return { type: "level", text: word, minRank };
  const percent = /^stuck *> *(?<percent>\d{1,3}(?:\.\d+)?) *%$/.exec(word)?.groups?.["percent"];
  return percent === undefined || Number(percent) > 100
    ? undefined
    : { type: "stuck", text: `stuck>${percent}%`, percent: Number(percent) };
}

function wrongValue(text: string): string {
  return `--fail-on ${text}: it must be ${levels.join(", ")}, any, or a share such as 'stuck>10%'`;
}

/** The conditions that are met, each with the reason: "stuck>0.1%: 0.2 % (41 of 19,936 calls)". */
export function failureTexts(lookBack: LookBack, conditions: readonly FailOn[]): readonly string[] {
  return conditions.flatMap((condition) => {
    const reason =
      condition.type === "level"
        ? levelReason(lookBack, condition.minRank)
        : stuckReason(lookBackTotals(lookBack), condition.percent);
    return reason === undefined ? [] : `--fail-on ${condition.text}: ${reason}`;
  });
}

function levelReason({ runs }: LookBack, minRank: number): string | undefined {
  const reached = runs.filter(({ report }) =>
    report.interventions.some(({ level }) => levels.indexOf(level) >= minRank),
  ).length;
  return reached === 0 ? undefined : `reached in ${reached.toLocaleString("en-US")} of ${counted(runs.length, "run")}`;
}

/** The share of the calls or of the cost, whichever is above the limit. */
function stuckReason(
  { calls, stuckCalls, costUsd, stuckUsd }: LookBackTotals,
  percentLimit: number,
): string | undefined {
  if (stuckCalls * 100 > percentLimit * calls)
    return `${share(stuckCalls, calls)} (${stuckCalls.toLocaleString("en-US")} of ${counted(calls, "call")})`;
  const [stuck, all] = [stuckUsd ?? 0, costUsd ?? 0];
  return stuck * 100 > percentLimit * all ? `${share(stuck, all)} (${usdText(stuck)} of ${usdText(all)})` : undefined;
}

/** With two digits that say something, so that a small share can be compared with its limit. */
function share(part: number, whole: number): string {
  return `${Number(((part / whole) * 100).toPrecision(2)).toLocaleString("en-US")} %`;
}
