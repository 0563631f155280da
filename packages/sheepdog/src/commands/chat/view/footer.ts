import { wholeDuration } from "@sheepdog/agent/timeline";
import type { Intervention, Level } from "@sheepdog/guardian";
import { dollars } from "../../../render/terminal/amounts.ts";
import { percent } from "../../../render/terminal/percent.ts";
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
const levelText = { hint: "hinted", warn: "warned", block: "blocked", halt: "ended" } as const satisfies Record<
  Level,
  string
>;

/** One line with the state of the run, the guardian, model, cost, context and tokens. */
export function footer(state: ChatState, { style, columns, symbols }: ViewOptions): string {
  const gap = ` ${symbols.dot} `;
  let parts = footerParts(state, style);
  while (parts.length > 1 && widthOf(parts.map(({ text }) => text).join(gap)) > columns) {
    const highest = Math.max(...parts.map(({ dropPriority }) => dropPriority));
    parts = parts.filter(({ dropPriority }) => dropPriority !== highest);
  }
  return parts.map(({ text, paint = style.dim }) => paint(cut(text, columns))).join(style.dim(gap));
}

function footerParts(state: ChatState, style: ViewOptions["style"]): FooterPart[] {
  const { meter, session } = state;
  return [
    runPart(state, style),
    ...guardianParts(state, style),
    { text: modelName(session.model), dropPriority: 4 },
    ...costParts(state),
    { text: `context ${percent(meter.contextTokens, session.maxContextTokens)}`, dropPriority: 2 },
    { text: tokenText(state), dropPriority: 7 },
  ];
}

function runPart({ run, cards }: ChatState, style: ViewOptions["style"]): FooterPart {
  if (run === undefined) return { text: "idle", dropPriority: 6 };
  if (run.isStopping) return { text: "stopping", dropPriority: 3 };
  if (cards.length > 0) return { text: "waiting for you", dropPriority: 3, paint: style.yellow };
  const seconds = Math.max(0, Math.round((run.now - run.startedAt) / 1_000));
  return { text: `running ${wholeDuration(seconds)}`, dropPriority: 3 };
}

/** What the guardian did last; empty if it did nothing. */
function guardianParts({ interventions, isRecovered, cards }: ChatState, style: ViewOptions["style"]): FooterPart[] {
  const newest = interventions.at(-1);
  if (newest === undefined || (isRecovered && isLimit(newest.detector))) return [];
  const isAnswered = newest.question !== undefined && cards.length === 0;
  if (isAnswered) return [];
  if (isRecovered) return [{ text: `recovered from ${newest.detector}`, dropPriority: 5 }];
  const count = repetitionCount(newest);
  const text = `${actionText(newest)} ${newest.detector}${count === undefined ? "" : ` ${count}×`}`;
  return [{ text, dropPriority: 0, paint: newest.level === "hint" ? style.yellow : style.red }];
}

/** The user decides about an intervention with a question, so its level says nothing about what happened. */
function actionText({ isApplied, level, question }: Intervention): string {
  if (question !== undefined) return "asked about";
  return isApplied ? levelText[level] : "noted";
}

/** Without the provider, which `/model` shows. */
function modelName(model: string): string {
  return plainText(model.slice(model.indexOf(":") + 1));
}

/** The cost of the run with its limit, and of the session if earlier runs have cost something. */
function costParts({ meter: { runNanoUsd, earlierNanoUsd }, run, session: { limits } }: ChatState): FooterPart[] {
  const maxNanoUsd = limits["run-cost"]?.stop ?? 0;
  const ofLimit = maxNanoUsd > 0 ? ` of ${dollars(maxNanoUsd / NANO)}` : "";
  const sessionText = `session ${dollars((earlierNanoUsd + (runNanoUsd ?? 0)) / NANO)}`;
  const limitPart = maxNanoUsd > 0 ? [{ text: `a run up to ${dollars(maxNanoUsd / NANO)}`, dropPriority: 5 }] : [];
  if (run === undefined) return [{ text: sessionText, dropPriority: 1 }, ...limitPart];
  const runText = runNanoUsd === null ? "price unknown" : `${dollars(runNanoUsd / NANO)}${ofLimit}`;
  const runPart = { text: runText, dropPriority: 1 };
  return earlierNanoUsd === 0 ? [runPart] : [runPart, { text: sessionText, dropPriority: 5 }];
}

/** The tokens of the run, with its limit if it has one. */
function tokenText({ meter: { tokens }, session: { limits } }: ChatState): string {
  const max = limits["run-tokens"]?.stop ?? 0;
  return max > 0 ? `${shortCount(tokens)} of ${shortCount(max)} tokens` : `${shortCount(tokens)} tokens`;
}

/** 950, 12k, 3.4M. */
function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
