import type { LimitName, Policy } from "@sheepdog/guardian";
import type { Outbox } from "../events/outbox.ts";
import type { Guard } from "../guard/guard.ts";
import type { Run, RunControl } from "../protocol/run.ts";

/** What a person says to the guardian of a run, and to those of its subagents. */
export interface RunControls {
  /** From now on there is a guardian. It hears what was said before. */
  begin(guard: Guard): void;
  /** The guardian does what is said, and everybody hears that it was said. False where the run is being ended: nothing would come of it. */
  give(instruction: RunControl): boolean;
  /** The limits that hold now. */
  limits(): Policy["limits"];
  /** A subagent hears of limits while it works. */
  follow(child: Run): void;
}

/** Limits of a run and all its subagents together; turns and context are each one's own. */
const shared: ReadonlySet<LimitName> = new Set<LimitName>([
  "time",
  "run-tokens",
  "run-cost",
  "session-cost",
  "day-cost",
  "month-cost",
]);

/** Nothing is said yet: the limits are those of the policy. */
export function createRunControls(policy: Policy, outbox: Pick<Outbox, "emit">): RunControls {
  const waiting: RunControl[] = [];
  const children = new Set<Run>();
  let guard: Guard | undefined;

  const heed = (made: Guard, instruction: RunControl) => {
    outbox.emit(
      instruction.type === "limit"
        ? { ...instruction, type: "LimitChanged" }
        : { ...instruction, type: "GuardianMuted" },
    );
    made.observe(instruction);
    if (instruction.type === "limit" && shared.has(instruction.limit))
      for (const child of children) child.control(instruction);
  };
  const saidBefore = () =>
    Object.fromEntries(
      waiting.flatMap((each) =>
        each.type === "limit" ? [[each.limit, { ...policy.limits[each.limit], ...each }] as const] : [],
      ),
    );

  return {
    begin(made) {
      guard = made;
      for (const instruction of waiting) heed(made, instruction);
    },
    give(instruction) {
      if (guard?.stop !== undefined) return false;
      if (guard === undefined) waiting.push(instruction);
      else heed(guard, instruction);
      return true;
    },
    limits: () => ({
      ...policy.limits,
      ...(guard === undefined ? saidBefore() : guard.guardian.snapshot().userLimits),
    }),
    follow(child) {
      children.add(child);
      const leave = () => children.delete(child);
      child.result.then(leave, leave);
    },
  };
}

/** The policy of a subagent: what a person has set anew for the run that starts it holds for it as well. */
export function withShared(policy: Policy, limits: Policy["limits"]): Policy {
  const own = Object.fromEntries(Object.entries(limits).filter(([name]) => shared.has(name as LimitName))); // the keys are limits
  return { ...policy, limits: { ...policy.limits, ...own } };
}
