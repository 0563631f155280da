import { bounds, short } from "./bounds.ts";
import { onChildUsage } from "./children.ts";
import { about, type Intervention } from "./intervention.ts";
import { type Budget, findingOf } from "./judge/finding.ts";
import { known } from "./known.ts";
import { type Limit, type LimitName, limitNames, type Policy } from "./policy.ts";
import type { SignalOf } from "./signal.ts";
import type { GuardianState, Meter } from "./state.ts";
import type { Step } from "./step-result.ts";
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

/** Books what was used in all. A total of another day or month is the first of a new budget. */
export function onUsage(state: GuardianState, signal: SignalOf<"usage">): GuardianState {
  const { used } = signal;
  if (signal.child !== undefined) return onChildUsage(state, signal.child, signal);
  const { tokens, max } = signal.context ?? {};
  const share = isAmount(tokens) && isAmount(max) && max > 0 ? { tokens, max } : undefined;
  const limits: Partial<Record<LimitName, Meter>> = { ...state.limits };
  const context = share === undefined ? used.context : (100 * share.tokens) / share.max;
  let { stopped } = state;
  for (const name of limitNames) {
    const total = name === "context" ? context : used[name as keyof typeof used]; // turns and time are never told
    if (!isAmount(total)) continue;
    const told = name === "day-cost" ? signal.day : name === "month-cost" ? signal.month : undefined;
    const window = told ? short(told, bounds.id) : undefined;
    const isSame = window === undefined || window === limits[name]?.window;
    const before: Partial<Meter> | undefined = isSame ? limits[name] : { window };
    if (!isSame && stopped?.reason === stopReasons[name]) stopped = undefined;
    if (name === "context") limits[name] = { ...before, used: total, ...known({ share }) };
    else if (total > (before?.used ?? -1)) limits[name] = { ...before, used: total };
  }
  const eased = isAmount(context) ? { isEased: state.compacting.isEased === true || context < CROWDED } : {};
  const booked = { ...state, limits, isPriced: signal.isPriced === true, compacting: { ...state.compacting, ...eased } };
  return stopped === state.stopped ? booked : lifted(booked);
}

/** Percent of the context from which on compaction has not helped. */
const CROWDED = 80;

/** The limits as a run begins, or goes on after it was ended: those that had spoken their last word may end it again. Another run has its own tokens and money, and what was used of a day or a month is for the books to say anew. */
export function restartLimits(limits: GuardianState["limits"], isNew: boolean): GuardianState["limits"] {
  const restarted: Partial<Record<LimitName, Meter>> = {};
  for (const name of limitNames) {
    const meter = limits[name];
    if (meter === undefined || (isNew && ofRun.includes(name))) continue;
    const { stoppedAt: _, ...kept } = meter;
    restarted[name] = isNew && (name === "day-cost" || name === "month-cost") ? { ...kept, used: 0 } : kept;
  }
  return restarted;
}

/** A person sets a limit anew; what is not named stays. A run that it had ended may go on where the new one is not reached, and no other is. */
export function onLimit(policy: Policy, state: GuardianState, { limit, warn, stop }: SignalOf<"limit">): GuardianState {
  const own = { ...limitOf(policy, state, limit), ...known({ warn, stop }) };
  const { stoppedAt: _, ...meter } = state.limits[limit] ?? { used: 0 };
  const next = { ...state, ownLimits: { ...state.ownLimits, [limit]: own }, limits: { ...state.limits, [limit]: meter } };
  if (state.stopped?.reason !== stopReasons[limit] || isReached(usedOf(next, limit), own.stop)) return next;
  return lifted(next);
}

/** The run may go on. */
function lifted({ stopped: _, ...going }: GuardianState): GuardianState {
  return { ...going, limits: restartLimits(going.limits, false) };
}

/** Lets every limit speak that was reached and has not spoken at this value. */
export function checkLimits(policy: Policy, taken: Step, words: Words): Step {
  const interventions: Intervention[] = [];
  let { state } = taken;
  for (const name of limitNames) {
    const limit = limitOf(policy, state, name);
    const crossing = limit === undefined ? undefined : crossingOf(policy, state, name, limit);
    if (crossing === undefined) continue;
    const intervention = speak(state, crossing, words);
    interventions.push(intervention);
    state = { ...state, opened: state.opened + 1, limits: { ...state.limits, [name]: { used: 0, ...state.limits[name], ...crossing.mark } } };
    if (crossing.level === "halt" && state.stopped === undefined)
      state = { ...state, stopped: { reason: stopReasons[name], intervention: intervention.id, message: intervention.message } };
  }
  return interventions.length === 0 ? taken : { ...taken, state, interventions: [...taken.interventions, ...interventions] };
}

/** Whether little is left of a budget: tokens in number, money as a fraction of its limit. A question, for callers who want to slow down before the end. */
export function nearBudget(policy: Policy, state: GuardianState, { reserveTokens = 512, reserveCostFraction = 0.1 }: Reserve = {}): boolean {
  return limitNames.some((name) => {
    const stop = limitOf(policy, state, name)?.stop ?? 0;
    const reserve = name === "run-tokens" ? reserveTokens : isMoney(name) ? reserveCostFraction * stop : undefined;
    return stop > 0 && reserve !== undefined && stop - (usedOf(state, name) ?? 0) <= reserve;
  });
}

/** What counts as little. */
export interface Reserve {
  readonly reserveTokens?: number;
  readonly reserveCostFraction?: number;
}

function limitOf(policy: Policy, state: GuardianState, name: LimitName): Limit | undefined {
  return state.ownLimits[name] ?? policy.limits[name];
}

/** What was used of a limit: told, counted here, and by sub-agents. */
function usedOf({ limits, children, brood, clock, runTurns }: GuardianState, name: LimitName): number | undefined {
  if (name === "turns") return runTurns;
  if (name === "time") return clock.workMs;
  const part = name === "run-tokens" ? "tokens" : name === "run-cost" ? "costNanoUsd" : undefined;
  if (part === undefined) return limits[name]?.used;
  const below = children.reduce((sum, child) => sum + child[part], brood[part]);
  return below === 0 ? limits[name]?.used : below + (limits[name]?.used ?? 0);
}

function isReached(used: number | undefined, at: number | undefined): boolean {
  return used !== undefined && at !== undefined && at > 0 && used >= at;
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
function crossingOf(policy: Policy, state: GuardianState, name: LimitName, { warn, stop }: Limit): Crossing | undefined {
  const { warnedAt, stoppedAt, isUnpricedSaid, share } = state.limits[name] ?? { used: 0 };
  const used = usedOf(state, name) ?? 0;
  const of = stop || warn || 0;
  const says = (level: Crossing["level"], isPriced: boolean, mark: Crossing["mark"]): Crossing => {
    return { name, level, mark, budget: { used, of, isHard: Boolean(stop), isPriced, ...known({ share }) } };
  };
  const isSpent = isReached(used, stop);
  // A money limit cannot be held where something has no price.
  const isBlind = !isSpent && !(state.isPriced && !state.brood.isUnpriced) && isMoney(name) && of > 0;
  const isRefused = isBlind && (stop ?? 0) > 0 && policy.unpriced === "refuse-under-limit";
  if (isSpent || isRefused) return stoppedAt === stop ? undefined : says("halt", isSpent, known({ warnedAt: warn, stoppedAt: stop }));
  if (isBlind && !isUnpricedSaid) return says("warn", false, { isUnpricedSaid: true });
  return isReached(used, warn) && warnedAt !== warn ? says("warn", true, known({ warnedAt: warn })) : undefined;
}

function speak(state: GuardianState, { name, level, budget }: Crossing, words: Words): Intervention {
  const isPeoples = !budget.isPriced && level === "warn";
  const advice = isPeoples ? ({ advice: "no-price", isForPeople: true } as const) : ({ advice: "finish" } as const);
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
