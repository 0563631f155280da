import type { Sentence } from "@sheepdog/web/contract";
import { counted } from "../render/terminal/amounts.ts";
import { shareText } from "../render/terminal/percent.ts";
import { nanoUsdText, usdText } from "../sentences/amount-text.ts";
import { code, say, strong } from "../sentences/say.ts";
import { agentLabel } from "./agent-label.ts";
import type { LookBack } from "./look-back.ts";
import { type LookBackTotals, lookBackTotals } from "./look-back-totals.ts";

/** The answer of a look back: what the agents spent, and how much of it went in circles. Other sentences follow. */
export function answerSentences(lookBack: Pick<LookBack, "runs" | "insideLoops">): readonly Sentence[] {
  const totals = lookBackTotals(lookBack);
  const sources = new Set(lookBack.runs.map(({ source }) => source));
  return [
    say`${spentPart(totals, sources)}${circlesPart(totals)}`,
    ...(totals.costUsd === null && totals.unpricedTokens === 0 ? [say`What they cost is not recorded.`] : []),
    ...listPriceNote(totals),
  ];
}

function spentPart(totals: LookBackTotals, sources: ReadonlySet<string>): Sentence {
  const { runs, calls, costUsd, usage, from, to } = totals;
  const [source = ""] = sources;
  const isOneAgent = sources.size === 1 && source !== "trajectory";
  const subject = isOneAgent ? agentLabel(source) : runs === 1 ? "Your agent" : "Your agents";
  const did =
    costUsd === null
      ? say`made ${strong(counted(calls, "call"))}`
      : say`spent ${strong(usdText(costUsd))}${listPricePart(usage)}`;
  const number = runs === 1 ? "one run" : counted(runs, "run");
  return say`${subject} ${did} in ${number}${subagentText(totals)}${timeText(from, to)}`;
}

/** A task may be many runs. */
function subagentText({ runs, subagentRuns }: LookBackTotals): string {
  if (subagentRuns === 0) return "";
  if (runs === 1) return ", that of a subagent,";
  return `, ${subagentRuns.toLocaleString("en-US")} of them of subagents,`;
}

/** How much of the money was computed from tokens: the rest is as the agents recorded it. */
function listPricePart(usage: LookBackTotals["usage"]): string {
  const computed = usage.reduce((sum, { pricedNanoUsd }) => sum + pricedNanoUsd, 0);
  if (computed === 0) return "";
  const isAll = usage.every(({ recordedNanoUsd }) => recordedNanoUsd === 0);
  return isAll ? " at list price" : ` (${nanoUsdText(computed)} of it at list price)`;
}

/** A share of few calls is told in numbers. */
const FEW_CALLS = 20;

function circlesPart({ runs, calls, stuckRuns, stuckCalls, stuckUsd, interventionRuns }: LookBackTotals): Sentence {
  if (stuckRuns === 0) {
    const spoken =
      interventionRuns === 0
        ? ""
        : ` The guardian would still have spoken in ${runs === 1 ? "it" : counted(interventionRuns, "run")}.`;
    return say`; ${runs === 1 ? "it" : "none"} ${runs === 1 ? "did not go" : "went"} in circles.${spoken}`;
  }
  const share = calls < FEW_CALLS ? `${stuckCalls} of ${counted(calls, "call")}` : shareText(stuckCalls, calls);
  const money = stuckUsd === null || stuckUsd === 0 ? say`` : say` and ${strong(usdText(stuckUsd))}`;
  const where = runs === 1 ? "" : `, in ${counted(stuckRuns, "run")}`;
  return say`; ${strong(share)}${calls < FEW_CALLS ? "" : " of the calls"}${money} went in circles${where}.`;
}

/** People read what they would have paid as a bill. */
function listPriceNote({ usage }: LookBackTotals): readonly Sentence[] {
  const isListPrice = usage.some(({ pricedNanoUsd }) => pricedNanoUsd > 0);
  if (!isListPrice) return [];
  const command = code("sheepdog analyze --explain cost");
  return [say`List price is what the tokens cost without a plan. How it was counted: ${command}`];
}

function timeText(from: number | null, to: number | null): string {
  if (from === null || to === null) return "";
  const days = Math.round((startOfDay(to) - startOfDay(from)) / 86_400_000) + 1;
  if (days <= 1) return ` on ${dateText(to)}`;
  const isSameYear = new Date(from).getFullYear() === new Date(to).getFullYear();
  return ` from ${dateText(from, !isSameYear)} to ${dateText(to)} (${days.toLocaleString("en-US")} days)`;
}

function dateText(at: number, hasYear = true): string {
  const year = hasYear ? ({ year: "numeric" } as const) : {};
  return new Date(at).toLocaleDateString("en-US", { month: "short", day: "numeric", ...year });
}

function startOfDay(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}
