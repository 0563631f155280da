import { type Limit, type LimitName, limitNames, type Policy } from "@sheepdog/guardian";
import type { Guard } from "../guard/guard.ts";
import type { Run } from "../protocol/run.ts";
import type { RunControl } from "../protocol/run-control.ts";

/** Changes to a run while it runs, passed on to its subagents. */
export interface RunControls {
  /** Connects the guardian and applies the changes made before it existed. */
  connect(guard: Guard): void;
  /** Applies a change. False when the run is ending: it would have no effect. */
  apply(control: RunControl): boolean;
  /** The limits in force. */
  limits(): Policy["limits"];
  /** Whether little is left of a budget. */
  nearBudget(): boolean;
  /** Passes later changes of shared limits on to a subagent. */
  follow(subagent: Run): void;
}

/** Limits of a run together with all its subagents; turns and context are limited for each by itself. */
const sharedLimits: ReadonlySet<string> = new Set<LimitName>([
  "time",
  "run-tokens",
  "run-cost",
  "session-cost",
  "day-cost",
  "month-cost",
]);

export function createRunControls(policyLimits: Policy["limits"]): RunControls {
  const early: RunControl[] = [];
  const subagents = new Set<Run>();
  let guard: Guard | undefined;

  function applyTo(connected: Guard, control: RunControl): void {
    connected.applyControl(control);
    if (control.type !== "limit" || !sharedLimits.has(control.limit)) return;
    for (const subagent of subagents) subagent.control(control);
  }

  function earlyLimits(): Policy["limits"] {
    const limits: Partial<Record<LimitName, Limit>> = {};
    for (const control of early)
      if (control.type === "limit") limits[control.limit] = { ...policyLimits[control.limit], ...control };
    return limits;
  }

  return {
    connect(connected) {
      guard = connected;
      for (const control of early) applyTo(connected, control);
    },
    apply(control) {
      checkControl(control);
      if (guard === undefined) early.push(control);
      else if (guard.stop !== undefined) return false;
      else applyTo(guard, control);
      return true;
    },
    limits: () => ({ ...policyLimits, ...(guard?.changedLimits() ?? earlyLimits()) }),
    nearBudget: () => guard?.nearBudget() ?? false,
    follow(subagent) {
      subagents.add(subagent);
      const leave = () => subagents.delete(subagent);
      subagent.result.then(leave, leave);
    },
  };
}

/** Throws a sentence for a control that the guardian could not apply later. */
function checkControl(control: RunControl): void {
  const type: unknown = control?.type;
  if (type !== "limit" && type !== "mute" && type !== "unmute")
    throw new TypeError(`Expected a control of type limit, mute or unmute, got ${JSON.stringify(type)}.`);
  if (control.type !== "limit") return;
  if (!limitNames.includes(control.limit))
    throw new TypeError(`Expected one of the limits ${limitNames.join(", ")}; got ${JSON.stringify(control.limit)}.`);
}

/** The policy of a subagent: the shared limits of its parent apply to it as well. */
export function subagentPolicy(policy: Policy, parentLimits: Policy["limits"]): Policy {
  const shared = Object.fromEntries(Object.entries(parentLimits).filter(([name]) => sharedLimits.has(name)));
  return { ...policy, limits: { ...policy.limits, ...shared } };
}
