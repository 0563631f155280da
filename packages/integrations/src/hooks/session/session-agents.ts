import type { GuardianEvent, Policy } from "@sheepdog/guardian";
import { type AgentGuardian, openAgent } from "./agent-guardian.ts";
import { type AgentState, initialAgent, type SessionState } from "./session-state.ts";

export interface SessionAgentsOptions {
  readonly policy: Policy;
  /** Whether a person can be asked at this event. */
  readonly attended: boolean;
  /** The agent continues where its run has to end. */
  readonly continues: boolean;
  readonly at: number;
  readonly redact: (text: string) => string;
  /** What the guardian of an agent reports; the main agent has no id. */
  readonly emit: (event: GuardianEvent, subagent: string | undefined) => void;
}

/** The agents of a session during one event. */
export interface SessionAgents {
  readonly main: AgentGuardian;
  /** The agent with this id, with its guardian; the main agent has an empty one. */
  open(id: string): AgentGuardian;
  /** The states of all agents but the one that has ended. */
  states(ended: string | undefined): Readonly<Record<string, AgentState>>;
}

/** Continues the guardians of a session, each when it is needed. */
export function openAgents({ agents: saved }: SessionState, options: SessionAgentsOptions): SessionAgents {
  const opened = new Map<string, AgentGuardian>();

  function open(id: string): AgentGuardian {
    const subagent = id === "" ? undefined : id;
    const emit = (event: GuardianEvent) => options.emit(event, subagent);
    const agent = opened.get(id) ?? openAgent(savedAgent(id) ?? initialAgent, { ...options, emit });
    opened.set(id, agent);
    return agent;
  }

  /** An id may be a name that every object has, such as "constructor". */
  function savedAgent(id: string): AgentState | undefined {
    return Object.hasOwn(saved, id) ? saved[id] : undefined;
  }

  return {
    main: open(""),
    open,
    states(ended) {
      const changed = [...opened].map(([id, agent]) => [id, agent.state()] as const);
      return newestAgents({ ...saved, ...Object.fromEntries(changed) }, ended);
    },
  };
}

/** Subagents whose end was not reported are forgotten first. */
const MAX_AGENTS = 12;

function newestAgents(
  agents: Readonly<Record<string, AgentState>>,
  ended: string | undefined,
): Readonly<Record<string, AgentState>> {
  const live = Object.entries(agents).filter(([id]) => id !== ended);
  const subagents = live.filter(([id]) => id !== "").slice(1 - MAX_AGENTS);
  return Object.fromEntries([...live.filter(([id]) => id === ""), ...subagents]);
}
