import { isMoney, type Limit, type LimitName, limitNames, stopReasons } from "../policy/limit.ts";
import { type Advice, type Budget, createFinding } from "../state/finding.ts";
import type { GuardianState, Meter } from "../state/guardian-state.ts";
import { createIntervention, type Intervention } from "../state/intervention.ts";
import type { StepContext } from "../state/step-context.ts";
import { factWithCost } from "../words.ts";
import { isReached, limitOf, usedOf } from "./limit-usage.ts";

/** Warns and stops for every limit that was reached and has not done so at this value. */
export function checkLimits(context: StepContext): readonly Intervention[] {
  const { policy, state } = context;
  const interventions: Intervention[] = [];
  for (const name of limitNames) {
    const limit = limitOf(policy, state, name);
    const crossing = limit === undefined ? undefined : findCrossing(context, name, limit);
    if (crossing === undefined) continue;
    const intervention = interveneFor(context, crossing);
    interventions.push(intervention);
    state.issuedIds++;
    state.limits[name] = { used: 0, ...state.limits[name], ...crossing.mark };
    if (crossing.level === "halt")
      state.stopped ??= { reason: stopReasons[name], intervention: intervention.id, message: intervention.message };
  }
  return interventions;
}

/** A limit that was reached, and the note that it has warned or stopped. */
interface Crossing {
  readonly name: LimitName;
  readonly level: "warn" | "halt";
  readonly budget: Budget;
  readonly mark: Partial<Meter>;
}

function findCrossing(context: StepContext, name: LimitName, limit: Limit): Crossing | undefined {
  const { policy, state } = context;
  const meter = state.limits[name];
  const { warn, stop } = limit;
  const used = usedOf(state, name);
  const { reserved, needed } = meter ?? {};
  const isHeld = (reserved ?? needed) !== undefined && (stop ?? 0) > 0;
  const isSpent = isReached(used, stop) || isHeld;
  const isUnpriced = !isSpent && isUnpricedMoney(state, name, limit);
  const isRefused = isUnpriced && (stop ?? 0) > 0 && policy.unpriced === "refuse-under-limit";
  const budget = { used, reserved, needed, of: stop || warn || 0, isHard: Boolean(stop), share: meter?.share };
  if (isSpent || isRefused) {
    if (meter?.stoppedAt === stop) return undefined;
    const mark = { warnedAt: warn ?? meter?.warnedAt, stoppedAt: stop }; // the stop makes a warning needless
    return { name, level: "halt", budget: { ...budget, isPriced: !isUnpriced }, mark };
  }
  if (isUnpriced && !meter?.isUnpricedReported)
    return { name, level: "warn", budget: { ...budget, isPriced: false }, mark: { isUnpricedReported: true } };
  if (isReached(used, warn) && meter?.warnedAt !== warn)
    return { name, level: "warn", budget: { ...budget, isPriced: true }, mark: { warnedAt: warn } };
  return undefined;
}

/** A money limit cannot be held when a price is unknown. */
function isUnpricedMoney({ isPriced, subagentTotals }: GuardianState, name: LimitName, { warn, stop }: Limit): boolean {
  return isMoney(name) && (!isPriced || subagentTotals.isUnpriced) && (stop || warn || 0) > 0;
}

/** Limits that the user may extend during an attended run. Money is only raised by a command. */
const extendableLimits: readonly LimitName[] = ["turns", "time"];

function interveneFor({ state, words }: StepContext, { name, level, budget }: Crossing): Intervention {
  const isQuestion = state.attended && level === "halt" && extendableLimits.includes(name);
  const isForUser = !budget.isPriced && level === "warn";
  const finding = createFinding(name, {
    cause: "",
    count: budget.used,
    budget,
    advice: isForUser ? "no-price" : budgetAdvice(budget),
    ...(isForUser ? { isForUser } : {}),
  });
  const firstUnanswered = state.unanswered.find((call) => call.turn === state.turn);
  return createIntervention(finding, {
    id: `e${state.issuedIds + 1}/${level}`,
    level,
    effect: level === "halt" ? "stop" : "tell",
    call: (firstUnanswered?.index ?? state.callCount) - 1,
    message: words(finding, level, { denials: 0, isFirst: true }),
    ...(isQuestion ? { question: factWithCost(finding, {}) } : {}),
    ...(budget.isPriced ? {} : { isUnpriced: true }),
    ...(budget.needed === undefined ? {} : { needed: budget.needed }),
    isApplied: true,
  });
}

/** Below the share at which the history is compacted, room will be made: there is no reason to finish. */
function budgetAdvice({ used, share }: Budget): Advice {
  return used < (share?.compactsAt ?? 0) ? "compaction-soon" : "finish";
}
