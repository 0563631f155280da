import type { Intervention, Level } from "@sheepdog/guardian";
import { dollars } from "../../../render/terminal/amounts.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { cut, widthOf } from "../../../render/terminal/width.ts";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { repetitionCount } from "../../../render/timeline/repetition-count.ts";
import type { ChatState } from "../state/chat-state.ts";
import type { ViewOptions } from "./view-options.ts";

interface FooterPart {
  readonly text: string;
  /** Parts with a higher value are left out first. */
  readonly dropPriority: number;
  readonly paint?: (text: string) => string;
}

const NANO = 1_000_000_000;
const BAR_WIDTH = 8;
const levelText = { hint: "hinted", warn: "warned", block: "blocked", halt: "ended" } as const satisfies Record<
  Level,
  string
>;

/** One line with the state of the run, the guardian, cost, context, limit, model and tokens. */
export function footer(state: ChatState, { style, columns, symbols }: ViewOptions): string {
  const gap = ` ${symbols.dot} `;
  let parts = footerParts(state, { style, symbols });
  while (parts.length > 1 && widthOf(parts.map(({ text }) => text).join(gap)) > columns) {
    const highest = Math.max(...parts.map(({ dropPriority }) => dropPriority));
    parts = parts.filter(({ dropPriority }) => dropPriority !== highest);
  }
  return parts.map(({ text, paint = style.dim }) => paint(cut(text, columns))).join(style.dim(gap));
}

function footerParts(state: ChatState, { style, symbols }: Pick<ViewOptions, "style" | "symbols">): FooterPart[] {
  const { meter, session, interventions, isRecovered } = state;
  const newest = interventions.at(-1);
  const isActive = newest !== undefined && !isRecovered;
  return [
    { text: runText(state), dropPriority: 2, ...(state.cards.length > 0 ? { paint: style.yellow } : {}) },
    {
      text: guardianText(newest, isRecovered),
      dropPriority: 0,
      ...(isActive ? { paint: newest.level === "hint" ? style.yellow : style.red } : {}),
    },
    ...costParts(state),
    { text: `context ${percent(meter.contextTokens, session.maxContextTokens)}%`, dropPriority: 3 },
    ...limitParts(state, symbols),
    { text: plainText(session.model), dropPriority: 6 },
    { text: `${shortCount(meter.tokens)} tokens`, dropPriority: 7 },
  ];
}

function runText({ run, cards }: ChatState): string {
  if (run === undefined) return "idle";
  if (run.isStopping) return "stopping";
  if (cards.length > 0) return "waiting for you";
  return `running ${Math.max(0, Math.round((run.now - run.startedAt) / 1_000))} s`;
}

/** What the guardian did last, until the run has recovered. */
function guardianText(newest: Intervention | undefined, isRecovered: boolean): string {
  if (newest === undefined) return "watching";
  if (isRecovered) return isLimit(newest.detector) ? "watching" : `watching (recovered from ${newest.detector})`;
  const count = repetitionCount(newest);
  return `${actionText(newest)} ${newest.detector}${count === undefined ? "" : ` ${count}×`}`;
}

/** The user decides about an intervention with a question, so its level says nothing about what happened. */
function actionText({ isApplied, level, question }: Intervention): string {
  if (question !== undefined) return "asked about";
  return isApplied ? levelText[level] : "noted";
}

/** The cost of the run, and of the session if earlier runs have cost something. */
function costParts({ meter: { runNanoUsd, earlierNanoUsd }, run }: ChatState): FooterPart[] {
  const sessionText = `session ${dollars((earlierNanoUsd + (runNanoUsd ?? 0)) / NANO)}`;
  if (run === undefined) return [{ text: sessionText, dropPriority: 1 }];
  const runPart = { text: runNanoUsd === null ? "price unknown" : dollars(runNanoUsd / NANO), dropPriority: 1 };
  return earlierNanoUsd === 0 ? [runPart] : [runPart, { text: sessionText, dropPriority: 4 }];
}

/** A bar for the used part of the run's cost limit, or else of its token limit. */
function limitParts(
  { session: { limits }, meter: { runNanoUsd, tokens } }: ChatState,
  { full, empty }: ViewOptions["symbols"],
): FooterPart[] {
  const maxNanoUsd = limits["run-cost"]?.stop ?? 0;
  const maxTokens = limits["run-tokens"]?.stop ?? 0;
  if (maxNanoUsd <= 0 && maxTokens <= 0) return [];
  const used = Math.min(1, maxNanoUsd > 0 ? (runNanoUsd ?? 0) / maxNanoUsd : tokens / maxTokens);
  const filled = Math.round(used * BAR_WIDTH);
  const bar = `${full.repeat(filled)}${empty.repeat(BAR_WIDTH - filled)}`;
  const limit = maxNanoUsd > 0 ? dollars(maxNanoUsd / NANO) : `${shortCount(maxTokens)} tokens`;
  return [{ text: `${bar} of ${limit}`, dropPriority: 5 }];
}

function percent(used: number, max: number): number {
  return max > 0 && Number.isFinite(max) ? Math.min(100, Math.round((100 * used) / max)) : 0;
}

/** 950, 12k, 3.4M. */
function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
