import { bounds, short } from "./bounds.ts";
import { onChildUsage } from "./children.ts";
import type { Draft, Writable } from "./draft.ts";
import { about, type Intervention } from "./intervention.ts";
import { type Budget, findingOf } from "./judge/finding.ts";
import { type Limit, type LimitName, limitNames, type Policy } from "./policy.ts";
import type { SignalOf } from "./signal.ts";
import { type GuardianState, type Meter, type Meters, noMeters } from "./state.ts";
import { silent } from "./step-result.ts";
import type { StopReason } from "./stop.ts";
import { isAmount } from "./well-formed.ts";
import type { Words } from "./words.ts";

/** What a run is ended for when a limit is reached. */
export const stopReasons: Readonly<Record<LimitName, StopReason>> = {
  context: "context_budget",
  "run-tokens": "token_budget",
  "run-cost": "run_budget",
  "session-cost": "session_budget",
  "day-cost": "day_budget",
  "month-cost": "month_budget",
  turns: "max_turns",
  time: "timeout",
};

/** Those that begin anew with every run. */
export const ofRun: readonly LimitName[] = ["context", "run-tokens", "run-cost", "turns", "time"];

/** Books what was used in all, by the run itself or by a subagent. */
export function onUsage(state: Draft, signal: SignalOf<"usage">): void {
  if (signal.child === undefined) book(state, signal);
  else onChildUsage(state, signal.child, signal);
}

/** A total of another day or month is the first of a new budget. A meter names all its fields, so that every one has the same shape. */
function book(state: Draft, signal: SignalOf<"usage">): void {
  const { used, day, month } = signal;
  const share = shareOf(signal);
  const context = share === undefined ? used.context : (100 * share.tokens) / share.max;
  const { limits } = state;
  let isLifted = false;
  for (const name of limitNames) {
    const total = name === "context" ? context : used[name as keyof typeof used]; // turns and time are never told
    if (!isAmount(total)) continue;
    const before = limits[name];
    const told = name === "day-cost" ? day : name === "month-cost" ? month : undefined;
    const window = told && told !== before?.window ? short(told, bounds.id) : before?.window;
    const isSame = window === before?.window;
    if (!isSame && state.stopped?.reason === stopReasons[name]) isLifted = true;
    const { used: most = -1, warnedAt, stoppedAt, isUnpricedSaid, share: known } = (isSame && before) || nothing;
    const isContext = name === "context";
    if (isContext || total > most)
      limits[name] = { used: total, window, share: (isContext && share) || known, warnedAt, stoppedAt, isUnpricedSaid };
  }
  state.isPriced = signal.isPriced === true;
  if (isAmount(context)) ease(state, context);
  if (isLifted) lift(state);
}

/** No meter yet. */
const nothing: Partial<Meter> = {};

/** The context as it was told, where that makes sense. */
function shareOf({ context }: SignalOf<"usage">): Meter["share"] {
  const { tokens, max } = context ?? {};
  return isAmount(tokens) && isAmount(max) && max > 0 ? { tokens, max } : undefined;
}

/** Notes whether there has been room in the context since it was compacted. */
function ease(state: Draft, context: number): void {
  const isEased = state.compacting.isEased === true || context < CROWDED;
  if (isEased !== state.compacting.isEased) state.compacting = { ...state.compacting, isEased };
}

/** Percent of the context from which on compaction has not helped. */
const CROWDED = 80;

/** The limits as a run begins, or goes on after it was ended: those that had spoken their last word may end it again. Another run has its own tokens and money, and what was used of a day or a month is for the books to say anew. */
export function restartLimits(limits: Meters, isNew: boolean): Writable<Meters> {
  const restarted: Writable<Meters> = { ...noMeters };
  for (const name of limitNames) {
    const meter = limits[name];
    if (meter === undefined || (isNew && ofRun.includes(name))) continue;
    restarted[name] = {
      ...meter,
      stoppedAt: undefined,
      used: isNew && (name === "day-cost" || name === "month-cost") ? 0 : meter.used,
    };
  }
  return restarted;
}

/** A person sets a limit anew; what is not named stays. A run that it had ended may go on where the new one is not reached, and no other is. */
export function onLimit(policy: Policy, state: Draft, { limit, warn, stop }: SignalOf<"limit">): void {
  const before = limitOf(policy, state, limit);
  const own = { warn: warn ?? before?.warn, stop: stop ?? before?.stop };
  state.userLimits = { ...state.userLimits, [limit]: own };
  state.limits[limit] = { used: 0, ...state.limits[limit], stoppedAt: undefined };
  if (state.stopped?.reason === stopReasons[limit] && !isReached(usedOf(state, limit), own.stop)) lift(state);
}

/** The run may go on. */
function lift(state: Draft): void {
  state.stopped = undefined;
  state.limits = restartLimits(state.limits, false);
}

/** Lets every limit speak that was reached and has not spoken at this value. */
export function checkLimits(policy: Policy, state: Draft, words: Words): readonly Intervention[] {
  let { interventions } = silent;
  for (const name of limitNames) {
    const limit = limitOf(policy, state, name);
    const crossing = limit && crossingOf(policy, state, name, limit);
    if (crossing === undefined) continue;
    const intervention = speak(state, crossing, words);
    interventions = [...interventions, intervention];
    state.opened++;
    state.limits[name] = { used: 0, ...state.limits[name], ...crossing.mark };
    if (crossing.level === "halt")
      state.stopped ??= { reason: stopReasons[name], intervention: intervention.id, message: intervention.message };
  }
  return interventions;
}

/** Whether little is left of a budget: tokens in number, money as a fraction of its limit. A question, for callers who want to slow down before the end. */
export function nearBudget(
  policy: Policy,
  state: GuardianState,
  { reserveTokens = 512, reserveCostFraction = 0.1 }: Reserve = {},
): boolean {
  return limitNames.some((name) => {
    const stop = limitOf(policy, state, name)?.stop ?? 0;
    const reserve = name === "run-tokens" ? reserveTokens : isMoney(name) ? reserveCostFraction * stop : undefined;
    return stop > 0 && reserve !== undefined && stop - usedOf(state, name) <= reserve;
  });
}

/** What counts as little. */
export interface Reserve {
  readonly reserveTokens?: number;
  readonly reserveCostFraction?: number;
}

function limitOf(policy: Policy, state: GuardianState, name: LimitName): Limit | undefined {
  return state.userLimits[name] ?? policy.limits[name];
}

/** What was used of a limit: told, counted here, and by subagents. */
function usedOf({ limits, subagents, subagentTotals, clock, runTurns }: GuardianState, name: LimitName): number {
  if (name === "turns") return runTurns;
  if (name === "time") return clock.workMs;
  const told = limits[name]?.used ?? 0;
  const part = name === "run-tokens" ? "tokens" : name === "run-cost" ? "costNanoUsd" : undefined;
  if (part === undefined) return told;
  let below = subagentTotals[part];
  for (const child of subagents) below += child[part];
  return below + told;
}

function isReached(used: number, at = 0): boolean {
  return at > 0 && used >= at;
}

function isMoney(name: LimitName): boolean {
  return name.endsWith("-cost");
}

/** A limit that was reached, and what to remember of having said so. */
interface Crossing {
  readonly name: LimitName;
  readonly level: "warn" | "halt";
  readonly budget: Budget;
  readonly mark: Partial<Meter>;
}

/** What there is to say now, if anything. The word that ends the run makes a warning needless. */
function crossingOf(
  policy: Policy,
  state: GuardianState,
  name: LimitName,
  { warn, stop }: Limit,
): Crossing | undefined {
  const used = usedOf(state, name);
  const of = stop || warn || 0;
  const isSpent = isReached(used, stop);
  // A money limit cannot be held where something has no price.
  const isBlind = !isSpent && (!state.isPriced || state.subagentTotals.isUnpriced) && isMoney(name) && of > 0;
  if (!isSpent && !isBlind && !isReached(used, warn)) return undefined;
  const meter = state.limits[name];
  const isRefused = isBlind && (stop ?? 0) > 0 && policy.unpriced === "refuse-under-limit";
  const isEnd = isSpent || isRefused;
  const isNews = isEnd
    ? meter?.stoppedAt !== stop
    : (isBlind && !meter?.isUnpricedSaid) || (isReached(used, warn) && meter?.warnedAt !== warn);
  if (!isNews) return undefined;
  const isUnpriced = isBlind && (isEnd || !meter?.isUnpricedSaid);
  const budget = { used, of, isHard: Boolean(stop), isPriced: !isUnpriced, share: meter?.share };
  const mark = isEnd
    ? { warnedAt: warn ?? meter?.warnedAt, stoppedAt: stop }
    : isUnpriced
      ? { isUnpricedSaid: true as const }
      : { warnedAt: warn };
  return { name, level: isEnd ? "halt" : "warn", budget, mark };
}

function speak(state: GuardianState, { name, level, budget }: Crossing, words: Words): Intervention {
  const isPeoples = !budget.isPriced && level === "warn";
  const advice = isPeoples ? ({ advice: "no-price", isForUser: true } as const) : ({ advice: "finish" } as const);
  const finding = findingOf(name, { cause: "", count: budget.used, ...advice, budget });
  return about(finding, {
    id: `e${state.opened + 1}/${level}`,
    level,
    effect: level === "halt" ? "stop" : "tell",
    call: (state.open.find((call) => call.turn === state.turn)?.index ?? state.calls) - 1,
    message: words(finding, level, { denials: 0, isFirst: true }),
    isApplied: true,
  });
}
