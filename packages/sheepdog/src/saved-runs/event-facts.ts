import type { AgentEvent, RunResult } from "@sheepdog/agent";
import { type Level, levels } from "@sheepdog/guardian";

/** What the summary of a run needs of its events, collected event by event. */
export interface EventFacts {
  /** The user was asked how the run continues, and has not answered. A resumed run asks again. */
  isQuestionOpen: boolean;
  /** How often the user was asked how the run continues. */
  questions: number;
  /** A question that is asked again has its intervention twice: each id counts once. */
  readonly interventionIds: Set<string>;
  highest: Level | undefined;
  /** The last result. */
  result: RunResult | undefined;
  /** The limits in force. */
  limits: Extract<AgentEvent, { type: "RunStarted" }>["limits"];
}

/** The facts before the first event. */
export function noFacts(): EventFacts {
  return {
    isQuestionOpen: false,
    questions: 0,
    interventionIds: new Set(),
    highest: undefined,
    result: undefined,
    limits: undefined,
  };
}

/** Adds the next event of the run. */
export function addToFacts(facts: EventFacts, event: AgentEvent): void {
  switch (event.type) {
    case "RunStarted":
      facts.isQuestionOpen = false;
      facts.limits = event.limits;
      return;
    case "LimitChanged":
      facts.limits = changedLimits(facts.limits, event);
      return;
    case "QuestionAsked":
      facts.isQuestionOpen = true;
      facts.questions += 1;
      return;
    case "QuestionAnswered":
      facts.isQuestionOpen = false;
      return;
    case "GuardianIntervention": {
      const { id, level } = event.intervention;
      facts.interventionIds.add(id);
      facts.highest = levels.findLast((each) => each === facts.highest || each === level);
      return;
    }
    case "RunComplete":
    case "RunError":
      facts.result = event.result;
      return;
    default:
      return;
  }
}

function changedLimits(
  limits: EventFacts["limits"],
  { limit, warn, stop }: Extract<AgentEvent, { type: "LimitChanged" }>,
): EventFacts["limits"] {
  const changed = { ...(warn === undefined ? {} : { warn }), ...(stop === undefined ? {} : { stop }) };
  return { ...limits, [limit]: { ...limits?.[limit], ...changed } };
}

/** The facts of all runs of a session, by their id. */
export function factsByRun(events: readonly AgentEvent[]): ReadonlyMap<string, EventFacts> {
  const byRun = new Map<string, EventFacts>();
  for (const event of events) {
    const facts = byRun.get(event.runId) ?? noFacts();
    byRun.set(event.runId, facts);
    addToFacts(facts, event);
  }
  return byRun;
}
