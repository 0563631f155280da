import type { Intervention, Level } from "@sheepdog/guardian";
import { dollars } from "../../../render/terminal/amounts.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { cut, widthOf } from "../../../render/terminal/width.ts";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { repetitionCount } from "../../../render/timeline/repetition-count.ts";
import type { ChatState } from "../state/chat-state.ts";
import type { ViewOptions } from "./view-options.ts";

/** A part of the footer; the higher `givesWay`, the sooner it is left out where there is no room. */
interface Part {
  readonly text: string;
  readonly givesWay: number;
  readonly paint?: (text: string) => string;
}

const NANO = 1_000_000_000;
const BAR = 8;
const done = { hint: "hinted", warn: "warned", block: "blocked", halt: "ended" } as const satisfies Record<
  Level,
  string
>;

/** One line: what goes on, the guardian, cost, context, model, limits, tokens. */
export function footer(state: ChatState, { style, columns, signs }: ViewOptions): string {
  const gap = ` ${signs.dot} `;
  let parts = partsOf(state, { style, columns, signs });
  while (parts.length > 1 && widthOf(parts.map(({ text }) => text).join(gap)) > columns) {
    const most = Math.max(...parts.map(({ givesWay }) => givesWay));
    parts = parts.filter(({ givesWay }) => givesWay !== most);
  }
  return parts.map(({ text, paint = style.dim }) => paint(cut(text, columns))).join(style.dim(gap));
}

function partsOf(state: ChatState, { style, signs }: Pick<ViewOptions, "style" | "columns" | "signs">): Part[] {
  const { meter, session, interventions, isRecovered } = state;
  const newest = interventions.at(-1);
  const isOpen = newest !== undefined && !isRecovered;
  return [
    { text: doing(state), givesWay: 2, ...(state.cards.length > 0 ? { paint: style.yellow } : {}) },
    {
      text: guardian(newest, isRecovered),
      givesWay: 0,
      ...(isOpen ? { paint: newest.level === "hint" ? style.yellow : style.red } : {}),
    },
    ...costs(state),
    { text: `context ${share(meter.contextTokens, session.maxContextTokens)}%`, givesWay: 3 },
    ...bar(state, signs),
    { text: plainText(session.model), givesWay: 6 },
    { text: `${short(meter.tokens)} tokens`, givesWay: 7 },
  ];
}

function doing({ run, cards }: ChatState): string {
  if (run === undefined) return "idle";
  if (run.isStopping) return "stopping";
  return cards.length > 0 ? "waits for you" : `running ${Math.max(0, Math.round((run.now - run.startedAt) / 1_000))} s`;
}

/** What the guardian did last, as long as it is not over. */
function guardian(newest: Intervention | undefined, isRecovered: boolean): string {
  if (newest === undefined) return "watching";
  if (isRecovered) return isLimit(newest.detector) ? "watching" : `watching (recovered from ${newest.detector})`;
  const times = repetitionCount(newest);
  return `${newest.isApplied ? done[newest.level] : "noted"} ${newest.detector}${times === undefined ? "" : ` ${times}×`}`;
}

/** This run, and the session where that has cost more; what has no known price is said to have none. */
function costs({ meter: { runNanoUsd, earlierNanoUsd }, run }: ChatState): Part[] {
  const session = `session ${dollars((earlierNanoUsd + (runNanoUsd ?? 0)) / NANO)}`;
  if (run === undefined) return [{ text: session, givesWay: 1 }];
  const own = { text: runNanoUsd === null ? "price unknown" : dollars(runNanoUsd / NANO), givesWay: 1 };
  return earlierNanoUsd === 0 ? [own] : [own, { text: session, givesWay: 4 }];
}

/** How much of the run's limit of money, or else of tokens, is used. */
function bar({ session: { limits }, meter: { runNanoUsd, tokens } }: ChatState, { full, empty }: ViewOptions["signs"]): Part[] {
  const money = limits["run-cost"]?.stop ?? 0;
  const most = money > 0 ? money : (limits["run-tokens"]?.stop ?? 0);
  if (most <= 0) return [];
  const used = Math.min(1, (money > 0 ? (runNanoUsd ?? 0) : tokens) / most);
  const filled = Math.round(used * BAR);
  return [
    {
      text: `${full.repeat(filled)}${empty.repeat(BAR - filled)} of ${money > 0 ? dollars(money / NANO) : `${short(most)} tokens`}`,
      givesWay: 5,
    },
  ];
}

function share(used: number, most: number): number {
  return most > 0 && Number.isFinite(most) ? Math.min(100, Math.round((100 * used) / most)) : 0;
}

/** 950, 12k, 3.4M. */
function short(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
