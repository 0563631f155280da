import { episodeOf, type GuardianEvent, type Intervention, limitNames } from "@sheepdog/guardian";
import type { AgentEventBody } from "../protocol/events.ts";
import type { RunControl } from "../protocol/run-control.ts";

/** The events for an action of the guardian. */
export type GuardianEvents = (event: GuardianEvent) => readonly AgentEventBody[];

/** Each intervention in full, and under the names that readers filter by. A loop has a name of its own, once. */
export function createGuardianEvents(reportedEpisodes: readonly string[] = []): GuardianEvents {
  const reportedLoops = new Set(reportedEpisodes);
  return (event) => {
    switch (event.type) {
      case "intervention": {
        const { intervention } = event;
        const loop = isLoop(intervention) && !reportedLoops.has(episodeOf(intervention.id));
        if (loop) reportedLoops.add(episodeOf(intervention.id));
        return [
          { type: "GuardianIntervention", intervention },
          ...named(intervention),
          ...(loop ? [{ type: "GuardianDoomLoop" as const, intervention }] : []),
        ];
      }
      case "recovered":
        return [{ type: "GuardianRecovered", episode: event.episode }];
      case "opinion-wanted":
      case "refused":
      case "detector-off":
      case "restored":
      case "ignored":
        return [];
      default:
        return event satisfies never;
    }
  };
}

/** The detectors of calls that repeat themselves, those of the seed systems included. */
const loopDetectors: readonly Intervention["detector"][] = [
  "doom-loop",
  "cycle",
  "failing-call",
  "seed-ryvos",
  "seed-aar",
  "seed-llm-rb",
  "seed-tool-guardrails",
];

function isLoop({ detector, isApplied }: Intervention): boolean {
  return isApplied && loopDetectors.includes(detector);
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
  return detector === "stall" ? [...hint, { type: "GuardianStall", intervention }] : hint;
}

/** The event for a change by the user. */
export function controlEvent(control: RunControl): AgentEventBody {
  switch (control.type) {
    case "limit":
      return { ...control, type: "LimitChanged" };
    case "mute":
      return { ...control, type: "GuardianMuted" };
    case "unmute":
      return { ...control, type: "GuardianUnmuted" };
    default:
      return control satisfies never;
  }
}
