import type { SessionSummary } from "@sheepdog/agent";
import type { RunRow, RunsQuery } from "@sheepdog/web/contract";
import { agentLabel } from "../../../look-back/agent-label.ts";
import { ownSource } from "../../../recordings/saved-run-recording.ts";
import { plainSentence } from "../../../sentences/say.ts";
import { projectOf } from "./run-row.ts";

/** Whether a row is wanted. */
export function rowMatches(row: RunRow, query: RunsQuery): boolean {
  const { text, state, project, model, source, guardian } = query;
  const { minCostUsd, maxCostUsd, since, before } = query;
  const cost = row.costUsd ?? 0;
  return (
    (state === undefined || stateMatches(row, state)) &&
    (project === undefined || row.project === project) &&
    (model === undefined || row.model === model) &&
    (source === undefined || row.source === source) &&
    (guardian === undefined || guardianMatches(row, guardian)) &&
    (minCostUsd === undefined || cost >= minCostUsd) &&
    (maxCostUsd === undefined || cost <= maxCostUsd) &&
    (since === undefined || row.startedAt >= since) &&
    (before === undefined || row.isLive || row.startedAt < before) &&
    (text === undefined || textMatches(row, text))
  );
}

/** Whether a run of the session may be wanted, by what the list of sessions says: other sessions are not read. */
export function mayMatch({ lastRun }: SessionSummary, { model, project, source }: RunsQuery): boolean {
  if (source !== undefined && source !== agentLabel(ownSource)) return false;
  if (project !== undefined && lastRun?.workspace !== undefined && projectOf(lastRun.workspace) !== project)
    return false;
  return model === undefined || lastRun !== undefined;
}

function stateMatches(
  { kind, state, reason, isLive, waitsFor }: RunRow,
  wanted: NonNullable<RunsQuery["state"]>,
): boolean {
  switch (wanted) {
    case "live":
      return isLive;
    case "waiting":
      return waitsFor !== null;
    case "completed":
      return state === "completed" && !(kind === "recording" && reason === null); // its outcome is unknown
    case "stopped":
      return ["cancelled", "budget_exceeded", "max_steps", "timed_out", "broken_off"].includes(state);
    case "failed":
      return state === "error";
    default:
      return wanted satisfies never;
  }
}

function guardianMatches({ guardian }: RunRow, wanted: NonNullable<RunsQuery["guardian"]>): boolean {
  if (wanted === "none") return guardian === null;
  return wanted === "any" ? guardian !== null : guardian?.level === wanted;
}

/** Whether the row has every word. */
function textMatches(row: RunRow, text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  const content = [plainSentence(row.sentence), row.prompt, row.project, row.model, row.source, row.id, row.sessionId]
    .join("\n")
    .toLowerCase();
  return words.every((word) => content.includes(word));
}
