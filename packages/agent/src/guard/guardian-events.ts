import { type GuardianEvent, type Intervention, limitNames } from "@sheepdog/guardian";
import type { AgentEventBody } from "../protocol/events.ts";
import type { RunControl } from "../protocol/run-control.ts";

/** The events for an action of the guardian: each intervention in full, and under the names that readers filter by. */
export function eventsOf(event: GuardianEvent): readonly AgentEventBody[] {
  switch (event.type) {
    case "intervention":
      return [{ type: "GuardianIntervention", intervention: event.intervention }, ...named(event.intervention)];
    case "recovered":
      return [{ type: "GuardianRecovered", episode: event.episode }];
    case "refused":
    case "detector-off":
    case "restored":
    case "ignored":
      return [];
    default:
      return event satisfies never;
  }
}

function named(intervention: Intervention): readonly AgentEventBody[] {
  const { detector, level, effect, isApplied, denies } = intervention;
  if (!isApplied || denies !== undefined) return []; // a refusal is published as `ToolBlocked`
  if (limitNames.some((name) => name === detector)) {
    if (effect === "stop") return [{ type: "BudgetExceeded", intervention }];
    return [
      { type: "BudgetWarning", intervention },
      { type: "GuardianBudgetAlert", intervention },
    ];
  }
  const hint: readonly AgentEventBody[] =
    level === "hint" || level === "warn" ? [{ type: "GuardianHint", intervention }] : [];
  if (detector === "stall") return [...hint, { type: "GuardianStall", intervention }];
  const isLoop = detector === "doom-loop" || detector === "cycle" || detector === "failing-call";
  return isLoop && level === "hint" ? [...hint, { type: "GuardianDoomLoop", intervention }] : hint;
}

/** The event for a change by the user. */
export function controlEvent(control: RunControl): AgentEventBody {
  return control.type === "limit" ? { ...control, type: "LimitChanged" } : { ...control, type: "GuardianMuted" };
}
