import type { Constraint, Goal } from "../protocol/goal.ts";
import { constraintText, criterionText } from "../protocol/goal-text.ts";
import { buildSystem, type Focus } from "./layers.ts";

/** The goal as the system text states it. */
export function goalFocus({ text, criteria = [], constraints = [] }: Goal): Focus {
  const ofLevel = (level: Constraint["level"]) =>
    constraints.filter((constraint) => constraint.level === level).map(constraintText);
  return { goal: text, must: ofLevel("must"), should: ofLevel("should"), criteria: criteria.map(criterionText) };
}

/** The system text with the goal at its end, unless the caller has built it with the same focus. */
export function systemWithGoal(system: string, goal: Goal | undefined): string {
  if (goal === undefined) return system;
  const focus = buildSystem({ identity: {}, focus: goalFocus(goal) });
  return system.includes(focus) ? system : `${system}\n\n${focus}`;
}
