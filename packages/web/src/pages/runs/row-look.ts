import type { RunRow } from "../../contract/index.ts";
import { counted } from "../../format/amounts.ts";
import { duration, runningTime } from "../../format/times.ts";
import type { IconName } from "../../parts/icon.tsx";

/** The sign of a run's state: a glyph with its colour, and the same as a word. `pulse` is the dot of a running run. */
export interface StateSign {
  readonly icon: IconName | "pulse";
  readonly tone: "" | "hint" | "warn" | "block" | "halt" | "recovered" | "failed";
  readonly word: string;
}

/** The sign of a run's state. */
export function stateSign(run: RunRow): StateSign {
  if (run.waitsFor === "approval") return { icon: "gate", tone: "", word: "Waits for approval" };
  if (run.waitsFor !== null) return { icon: "wait", tone: "block", word: "Waits for you" };
  if (run.isLive) return { icon: "pulse", tone: "", word: "Running" };
  if (run.kind === "recording") return { icon: "read", tone: "hint", word: "Recording" };
  if (isEndedByGuardian(run)) return { icon: "halt", tone: "halt", word: "Ended by the guardian" };
  switch (run.state) {
    case "completed":
      return { icon: "check", tone: "recovered", word: "Completed" };
    case "budget_exceeded":
    case "max_steps":
    case "timed_out":
      return { icon: "limit", tone: "warn", word: "Ended at a limit" };
    case "cancelled":
      return { icon: "x", tone: "", word: "Stopped" };
    case "error":
      return { icon: "x", tone: "failed", word: "Failed" };
    case "broken_off":
      return { icon: "x", tone: "failed", word: "Broken off" };
    case "running":
    case "waiting_for_tool":
    case "waiting_for_input":
      return { icon: "wait", tone: "", word: "Not running" };
    default:
      return run.state satisfies never;
  }
}

function isEndedByGuardian({ state, guardian }: RunRow): boolean {
  return state === "error" && guardian?.level === "halt" && guardian.isApplied;
}

/** The one action of a row: the one that fits the state of its run. */
export type RowAction = "answer" | "review" | "steer" | "raise" | "resume" | "fork" | "look";

export function rowAction(run: RunRow): RowAction {
  if (run.waitsFor === "approval") return "review";
  if (run.waitsFor !== null) return "answer";
  if (run.kind === "recording") return "look";
  if (run.isLive) return "steer";
  const canResume = run.resumeCommand !== null && run.resumeProblem === null;
  if (canResume && run.reason === "run_budget") return "raise";
  if (canResume && run.state !== "completed") return "resume";
  return run.canFork ? "fork" : "look";
}

/** The facts under the sentence of a run. */
export function rowFacts(run: RunRow, now: number): readonly string[] {
  const end = run.endedAt ?? (run.isLive ? Math.max(now, run.startedAt + 1_000) : run.startedAt); // clocks may differ
  const time = run.isLive ? runningTime(end - run.startedAt) : duration(end - run.startedAt);
  const hasTime = run.isLive || run.endedAt !== null;
  const facts = [
    run.kind === "recording" ? run.source : null,
    run.project,
    run.model,
    hasTime ? time : null,
    run.isLive ? `turn ${run.turns}` : counted(run.turns, "turn"),
    run.goal === null || run.isLive ? null : run.goal === "open" ? "goal open" : `goal ${run.goal}`,
    run.isDemo && run.model !== "demo" ? "demo" : null,
  ];
  return facts.filter((fact) => fact !== null);
}
