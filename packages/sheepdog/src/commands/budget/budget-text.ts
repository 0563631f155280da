import { duration } from "@sheepdog/agent/timeline";
import { shortId } from "../../compose/ids.ts";
import type { MoneyLimit } from "../../config/money-limits.ts";
import { describeOrigin } from "../../config/origin.ts";
import type { Config } from "../../config/schema.ts";
import type { Io } from "../../io.ts";
import { programName, withProgramName } from "../../program-name.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { hintLines } from "../../render/terminal/command-lines.ts";
import { percent } from "../../render/terminal/percent.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { cut } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { type OpenRequests, openSentences } from "../../saved-runs/open-requests.ts";
import { describeState } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";

/** A running run, and its cost limit if a user has changed it. */
export interface RunningRun {
  readonly summary: RunSummary;
  readonly raisedNanoUsd: number | undefined;
}

interface Budget {
  readonly limits: readonly MoneyLimit[];
  readonly open: OpenRequests;
  readonly running: readonly RunningRun[];
  readonly config: Config;
  /** What attached agents have spent: not part of `limits`, which hold for them apart. */
  readonly attached: { readonly dayNanoUsd: number; readonly monthNanoUsd: number };
  readonly now: number;
}

interface Format {
  readonly style: Style;
  readonly width: number;
  /** Whether the terminal can show block characters. */
  readonly canDraw: boolean;
  readonly env: Io["env"];
}

const columns: readonly Column[] = [
  { title: "BUDGET", align: "left", min: 7 },
  { title: "SPENT", align: "right", min: 6 },
  { title: "LIMIT", align: "right", min: 6 },
  { title: "LEFT", align: "right", min: 6, isOptional: true },
  { title: "", align: "left", min: 10, isOptional: true },
  { title: "SET IN", align: "left", min: 8, shrinkPriority: 1, isOptional: true },
];

/** The budgets and what is spent of them, as lines of text. */
export function budgetText(budget: Budget, { style, width, canDraw, env }: Format): readonly string[] {
  const { limits, running } = budget;
  const [head = "", ...rows] = layOut(
    columns,
    limits.map((limit) => limitRow(limit, canDraw)),
    width,
  );
  return [
    style.bold(head),
    ...rows.map((row, index) => limitStyle(limits[index], style)(row)),
    "",
    ...notes(budget)
      .flatMap((sentence) => wrap(withProgramName(sentence, env), width))
      .map(style.dim),
    ...runningLines(running, { style, width, env }),
  ];
}

function notes({ limits, open, config, attached, now }: Budget): readonly string[] {
  const { max_turns, max_duration_secs } = config.agent;
  const { per_run_limit_tokens } = config.budget;
  const tokens = per_run_limit_tokens === 0 ? "" : ` or ${counted(per_run_limit_tokens, "token")}`;
  const today = new Date(now).toISOString().slice(0, 10);
  const sentences = [
    `Days and months are in UTC; today is ${today}.`,
    `A run also ends after ${counted(max_turns, "turn")} or ${duration(max_duration_secs * 1_000)}${tokens}.`,
  ];
  if (attached.monthNanoUsd > 0) {
    const [day, month] = [dollars(attached.dayNanoUsd / 1e9), dollars(attached.monthNanoUsd / 1e9)];
    sentences.push(
      `Attached agents have spent ${day} today and ${month} this month. It is counted apart, against the same limits.`,
    );
  }
  sentences.push(...openSentences(open));
  if (limits.every(({ limitCents }) => limitCents === 0))
    sentences.push("No budget is set. To set one of $20 per month: sheepdog budget set month 20");
  return sentences;
}

function limitRow({ scope, limitCents, warnCents, spentCents, origin }: MoneyLimit, canDraw: boolean): string[] {
  const hasShare = limitCents > 0 && spentCents !== undefined;
  const warning = warnCents > 0 ? `warns at ${dollars(warnCents / 100)}` : "";
  const share = hasShare ? [bar(spentCents / limitCents, canDraw), percent(spentCents, limitCents)] : [];
  return [
    scope,
    spentCents === undefined ? "each" : dollars(spentCents / 100),
    limitCents === 0 ? "none" : dollars(limitCents / 100),
    hasShare ? dollars(Math.max(0, limitCents - spentCents) / 100) : "",
    [...share, warning].filter((part) => part !== "").join(" "),
    limitCents === 0 && origin === "default" ? "" : plainText(describeOrigin(origin)),
  ];
}

const barWidth = 10;

function bar(share: number, canDraw: boolean): string {
  const full = Math.min(barWidth, Math.round(Math.max(0, share) * barWidth));
  return (canDraw ? "█" : "#").repeat(full) + (canDraw ? "░" : ".").repeat(barWidth - full);
}

function limitStyle(limit: MoneyLimit | undefined, style: Style): (text: string) => string {
  const { limitCents = 0, warnCents = 0, spentCents = 0 } = limit ?? {};
  if (limitCents > 0 && spentCents >= limitCents) return style.red;
  const warnAtCents = warnCents || limitCents * 0.8;
  return warnAtCents > 0 && spentCents >= warnAtCents ? style.yellow : (text) => text;
}

function runningLines(
  running: readonly RunningRun[],
  { style, width, env }: Omit<Format, "canDraw">,
): readonly string[] {
  if (running.length === 0) return [];
  const lines = running.map(({ summary, raisedNanoUsd }) => {
    const { run, state, turns, costNanoUsd } = summary;
    const spent = costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9);
    const limit = raisedNanoUsd === undefined ? "" : ` of ${dollars(raisedNanoUsd / 1e9)}`;
    const waiting = state === "waiting_for_input" ? [describeState(summary)] : [];
    const facts = [shortId(run.runId), ...waiting, `${spent}${limit}`, counted(turns, "turn")];
    const parts = [...facts, run.prompt.slice(0, 400)];
    return cut(parts.map(plainText).join("  "), width);
  });
  const hint = `To raise the limit of one: ${programName(env)} budget raise <run> <dollars>`;
  return ["", style.bold("RUNNING NOW"), ...lines, ...hintLines(hint, width).map(style.dim)];
}
