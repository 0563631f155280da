import { agentIds } from "./agent-places.ts";

/** An agent by its id, or why a text names none. */
export type ChosenAgent =
  | { readonly ok: true; readonly agent: string }
  | { readonly ok: false; readonly problem: string };

/** Finds an agent by its id or by an unambiguous beginning of it. `ids` are the agents to choose from. */
export function chooseAgent(text: string, ids: readonly string[] = agentIds): ChosenAgent {
  const wanted = text.trim().toLowerCase().replace(/\s+/g, "-");
  const exact = ids.find((id) => id === wanted);
  if (exact !== undefined) return { ok: true, agent: exact };
  const matching = wanted === "" ? [] : ids.filter((id) => id.startsWith(wanted));
  const [agent] = matching;
  if (agent !== undefined && matching.length === 1) return { ok: true, agent };
  const problem =
    matching.length > 1
      ? `the agent "${text}" may be ${matching.join(" or ")}`
      : `the agent "${text}" is unknown; known are ${ids.join(", ")}`;
  return { ok: false, problem };
}
