import { isAmount } from "../policy/amount.ts";
import { type LimitName, limitNames, runLimits, stopReasons } from "../policy/limit.ts";
import type { SignalOf } from "../signal.ts";
import { bounds, shorten } from "../state/bounds.ts";
import type { Draft, Writable } from "../state/draft.ts";
import type { Meter, Meters } from "../state/guardian-state.ts";

/** Percent of the context from which on a compaction has not helped. */
const CROWDED_CONTEXT = 80;

/** Records the totals of the run itself. A total of another day or month starts a new budget. */
export function recordUsage(state: Draft, signal: SignalOf<"usage">): void {
  const share = contextShare(signal);
  const context = share === undefined ? signal.used.context : (100 * share.tokens) / share.max;
  const totals: Readonly<Partial<Record<LimitName, unknown>>> = { ...signal.used, context };
  let isStopLifted = false;
  for (const name of limitNames) {
    const total = totals[name];
    if (!isAmount(total)) continue;
    const meter = state.limits[name];
    const window = windowName(name, signal) ?? meter?.window;
    const isNewWindow = window !== meter?.window;
    if (isNewWindow && state.stopped?.reason === stopReasons[name]) isStopLifted = true;
    const previous = isNewWindow ? undefined : meter;
    if (name === "context") state.limits[name] = { ...previous, used: total, window, share: share ?? previous?.share };
    else state.limits[name] = { ...previous, ...moneyOrTokens(total, name, signal, previous), window };
  }
  state.isPriced = signal.isPriced === true;
  if (isAmount(context)) noteContextRoom(state, context);
  if (isStopLifted) liftStop(state);
}

/** A total never falls within a run, a day or a month; a reservation may. */
function moneyOrTokens(
  total: number,
  name: LimitName,
  signal: SignalOf<"usage">,
  previous: Meter | undefined,
): Pick<Meter, "used" | "reserved" | "needed"> {
  const [reserved, needed] = [signal.reserved?.[name], signal.needed?.[name]];
  return {
    used: Math.max(total, previous?.used ?? 0),
    reserved: isAmount(reserved) ? reserved : undefined,
    needed: isAmount(needed) ? needed : undefined,
  };
}

/** The name of the day or the month that a total belongs to. */
function windowName(limit: LimitName, { day, month }: SignalOf<"usage">): string | undefined {
  const name = limit === "day-cost" ? day : limit === "month-cost" ? month : undefined;
  return name ? shorten(name, bounds.id) : undefined;
}

/** The size of the context in tokens, if the caller has sent a sensible one. */
function contextShare({ context }: SignalOf<"usage">): Meter["share"] {
  const { tokens, max, compactsAt } = context ?? {};
  if (!isAmount(tokens) || !isAmount(max) || max === 0) return undefined;
  return isAmount(compactsAt) ? { tokens, max, compactsAt } : { tokens, max };
}

/** Notes whether the context has had room since it was compacted. */
function noteContextRoom(state: Draft, contextPercent: number): void {
  const isEased = state.compactionStreak.isEased === true || contextPercent < CROWDED_CONTEXT;
  state.compactionStreak = { ...state.compactionStreak, isEased };
}

/** What a meter loses so that its limit may end the run again. */
export const notStopped = { stoppedAt: undefined, reserved: undefined, needed: undefined } as const;

/** The run may continue after a limit had ended it. */
export function liftStop(state: Draft): void {
  state.stopped = undefined;
  state.limits = resumeMeters(state.limits);
}

/** The meters of a run that resumes: limits that had ended it may end it again. */
export function resumeMeters(limits: Meters): Writable<Meters> {
  return mapMeters(limits, (_, meter) => ({ ...meter, ...notStopped }));
}

/**
 * The meters of a new run, which has its own tokens, money, turns and time.
 * The ledger has to send the totals of the day and the month again.
 */
export function newRunMeters(limits: Meters): Writable<Meters> {
  return mapMeters(limits, (name, meter) => {
    if (runLimits.includes(name)) return undefined;
    const used = name === "day-cost" || name === "month-cost" ? 0 : meter.used;
    return { ...meter, used, ...notStopped };
  });
}

function mapMeters(limits: Meters, map: (name: LimitName, meter: Meter) => Meter | undefined): Writable<Meters> {
  const mapped: Writable<Meters> = {};
  for (const name of limitNames) {
    const meter = limits[name];
    const next = meter === undefined ? undefined : map(name, meter);
    if (next !== undefined) mapped[name] = next;
  }
  return mapped;
}
