import type { Config } from "../../config/schema.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { cut } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { duration } from "../../render/timeline/duration.ts";
import { shortId } from "../runs/runs-table.ts";
import type { RunningRun } from "./budget-command.ts";
import type { MoneyLimit } from "./limits-of.ts";
import { originWords } from "./origin-words.ts";

/** What is told. */
interface Told {
  readonly limits: readonly MoneyLimit[];
  /** Set aside for requests under way. */
  readonly reservedNanoUsd: number;
  readonly running: readonly RunningRun[];
  readonly config: Config;
  readonly now: number;
}

/** How it is to look. */
interface Look {
  readonly style: Style;
  readonly width: number;
  /** The terminal can show blocks. */
  readonly isDrawn: boolean;
}

const columns: readonly Column[] = [
  { title: "BUDGET", align: "left", min: 7 },
  { title: "SPENT", align: "right", min: 6 },
  { title: "LIMIT", align: "right", min: 6 },
  { title: "LEFT", align: "right", min: 6, isOptional: true },
  { title: "", align: "left", min: 10, isOptional: true },
  { title: "SET IN", align: "left", min: 8, shrinkPriority: 1, isOptional: true },
];

/** Limits and what is spent of them, for people. */
export function budgetText(
  { limits, reservedNanoUsd, running, config, now }: Told,
  { style, width, isDrawn }: Look,
): readonly string[] {
  const [head = "", ...rows] = layOut(
    columns,
    limits.map((limit) => rowOf(limit, isDrawn)),
    width,
  );
  const painted = rows.map((row, place) => paintOf(limits[place], style)(row));
  const { max_turns, max_duration_secs } = config.agent;
  const { per_run_limit_tokens } = config.budget;
  const tokens = per_run_limit_tokens === 0 ? "" : `, ${counted(per_run_limit_tokens, "token")}`;
  const sentences = [
    `Days and months are UTC's: it is ${new Date(now).toISOString().slice(0, 10)}. A run also ends after ${counted(max_turns, "turn")} or ${duration(max_duration_secs * 1_000)}${tokens}.`,
    ...(reservedNanoUsd > 0
      ? [
          `Up to ${dollars(reservedNanoUsd / 1e9)} more is set aside for requests under way, or whose process ended before it could tell what they cost.`,
        ]
      : []),
    ...(limits.every(({ limitCents }) => limitCents === 0)
      ? ["No limit of money is set: `sheepdog budget set month 20` sets one of $20."]
      : []),
  ];
  return [
    style.bold(head),
    ...painted,
    "",
    ...sentences.flatMap((sentence) => wrap(sentence, width)).map(style.dim),
    ...runningLines(running, style, width),
  ];
}

function rowOf({ scope, limitCents, warnCents, spentCents, origin }: MoneyLimit, isDrawn: boolean): string[] {
  const hasShare = limitCents > 0 && spentCents !== undefined;
  const warning = warnCents > 0 ? `warns at ${dollars(warnCents / 100)}` : "";
  return [
    scope,
    spentCents === undefined ? "each" : dollars(spentCents / 100),
    limitCents === 0 ? "none" : dollars(limitCents / 100),
    hasShare ? dollars(Math.max(0, limitCents - spentCents) / 100) : "",
    hasShare
      ? `${bar(spentCents / limitCents, isDrawn)} ${Math.round((100 * spentCents) / limitCents)}%${warning === "" ? "" : ` ${warning}`}`
      : warning,
    limitCents === 0 && origin === "default" ? "" : plainText(originWords(origin)),
  ];
}

const barWidth = 10;

function bar(share: number, isDrawn: boolean): string {
  const full = Math.min(barWidth, Math.round(Math.max(0, share) * barWidth));
  return (isDrawn ? "█" : "#").repeat(full) + (isDrawn ? "░" : ".").repeat(barWidth - full);
}

function paintOf(limit: MoneyLimit | undefined, style: Style): (text: string) => string {
  const { limitCents = 0, warnCents = 0, spentCents = 0 } = limit ?? {};
  if (limitCents > 0 && spentCents >= limitCents) return style.red;
  const warned = warnCents || limitCents * 0.8;
  return warned > 0 && spentCents >= warned ? style.yellow : (text) => text;
}

function runningLines(running: readonly RunningRun[], style: Style, width: number): readonly string[] {
  if (running.length === 0) return [];
  const lines = running.map(({ kept: { run, turns, costNanoUsd }, maxCostNanoUsd }) => {
    const spent = costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9);
    const raised = maxCostNanoUsd === undefined ? "" : ` of ${dollars(maxCostNanoUsd / 1e9)}`;
    return cut(
      `${plainText(shortId(run.runId))}  ${spent}${raised}  ${counted(turns, "turn")}  ${plainText(run.prompt.slice(0, 400))}`,
      width,
    );
  });
  return ["", style.bold("RUNNING NOW"), ...lines, style.dim("sheepdog budget raise <run> <dollars> gives one more.")];
}
