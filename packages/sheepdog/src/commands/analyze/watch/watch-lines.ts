import type { Level } from "@sheepdog/guardian";
import type { SeenIntervention } from "../../../look-back/watch-recordings.ts";
import { clockText } from "../../../render/clock-text.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import type { Style } from "../../../render/terminal/style.ts";
import { wrap } from "../../../render/terminal/wrap.ts";
import { usdText } from "../../../sentences/amount-text.ts";
import { plainSentence } from "../../../sentences/say.ts";

/** What the guardian would do at each level. */
const deeds: Readonly<Record<Level, string>> = {
  hint: "would hint",
  warn: "would warn",
  block: "would refuse the next one",
  halt: "would end the run",
};

/** An intervention as lines of at most `width` columns: when, what and where, the cost, and how to look at it. */
export function watchLines(
  { run, level, sentence }: SeenIntervention,
  { now, width, style }: { readonly now: number; readonly width: number; readonly style: Style },
): readonly string[] {
  const place = [run.source, ...(run.project === null ? [] : [run.project])].map(plainText).join(" in ");
  const text = `${clockText(now)} ${place}: ${plainText(plainSentence(sentence))}. The guardian ${deeds[level]}.`;
  const { costUsd, stuck } = run.report;
  const circles = stuck?.costUsd ? `, ${usdText(stuck.costUsd)} of it in circles` : "";
  const cost = costUsd === null ? [] : [`${usdText(costUsd)} so far${circles}.`];
  const [first = "", ...rest] = wrap(text, width);
  const isForce = level === "block" || level === "halt";
  return [
    isForce ? style.bold(first) : first,
    ...rest,
    ...wrap([...cost, `sheepdog show ${run.id}`].join(" "), width - 2).map((line) => style.dim(`  ${line}`)),
  ];
}

/** The same as one JSON object. */
export function watchDocument({ run, detector, level, sentence }: SeenIntervention, now: number) {
  const { costUsd, stuck } = run.report;
  return {
    schemaVersion: 1,
    at: now,
    run: run.id,
    source: run.source,
    project: run.folder,
    file: run.file,
    detector,
    level,
    sentence: plainSentence(sentence),
    costUsd,
    stuckCostUsd: stuck?.costUsd ?? null,
  };
}
