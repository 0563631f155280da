import type { HookEvent } from "../hook-event.ts";
import { type Applied, type ApplyOptions, applyEvent } from "./apply-event.ts";
import type { SessionAgents } from "./session-agents.ts";
import type { SessionState } from "./session-state.ts";
import { type SessionUsage, type UsageTotals, usageSignal } from "./session-usage.ts";

export interface SessionApplied extends Applied {
  /** The totals at the newest prompt of a person. */
  readonly usageAtPrompt?: UsageTotals | undefined;
}

/** Turns an event and what was used so far into signals for the guardians of a session. */
export function applyToSession(
  agents: SessionAgents,
  event: HookEvent,
  options: ApplyOptions & { readonly state: SessionState; readonly usage: SessionUsage | undefined },
): SessionApplied {
  const { state, usage } = options;
  const owner = event.subagent ?? "";
  const isNewRun = event.type === "prompt" && event.origin === "person";
  const usageAtPrompt = isNewRun ? (usage ?? state.usageAtPrompt) : state.usageAtPrompt;
  const observeUsage = () => usage && agents.main.guardian.observe(usageSignal(usage, usageAtPrompt));
  if (!isNewRun) observeUsage();
  const applied = applyEvent(agents.open(owner), event, options);
  if (isNewRun) {
    observeUsage(); // limits that the prompt has released may be reached still
    startRuns(agents, event, options);
  }
  if (event.type === "subagent-end") endSubagent(agents, event.id);
  return { ...applied, usageAtPrompt };
}

/** A prompt of a person starts a new run of every agent of the session. */
function startRuns(agents: SessionAgents, event: HookEvent, options: ApplyOptions & { readonly state: SessionState }) {
  const others = Object.keys(options.state.agents).filter((id) => id !== "" && id !== event.subagent);
  for (const id of others) applyEvent(agents.open(id), event, options);
}

function endSubagent({ main, open }: SessionAgents, id: string): void {
  main.guardian.observe({ type: "child-end", id, depth: 1, findings: open(id).guardian.findings() });
}
