import { isReached, limitOf, usedOf } from "../limits/limit-usage.ts";
import { liftStop, notStopped } from "../limits/meters.ts";
import { stopReasons } from "../policy/limit.ts";
import type { SignalOf } from "../signal.ts";
import type { StepContext } from "../state/step-context.ts";

/** A user changes a limit; absent parts stay. A run that this limit had ended may continue below the new value. */
export function onLimit({ policy, state }: StepContext, { limit, warn, stop }: SignalOf<"limit">): void {
  const previous = limitOf(policy, state, limit);
  const changed = { warn: warn ?? previous?.warn, stop: stop ?? previous?.stop };
  state.userLimits = { ...state.userLimits, [limit]: changed };
  state.limits[limit] = { used: 0, ...state.limits[limit], ...notStopped };
  if (state.stopped?.reason === stopReasons[limit] && !isReached(usedOf(state, limit), changed.stop)) liftStop(state);
}
