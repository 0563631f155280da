import { readFileSync } from "node:fs";
import type { HookAgent } from "@sheepdog/integrations/hooks";
import { editFile } from "../config/edit-file.ts";
import type { Home } from "../home.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Set by `sheepdog watch --observe` for the agent that it starts. */
export const observeVariable = "SHEEPDOG_OBSERVE";

/**
 * Whether hooks of this agent only record what they would have done. It is a setting of ours, not a part of the command
 * in the agent's settings: Codex asks its user again whenever that command changes.
 */
export function isObserved(home: Pick<Home, "observedFile">, agent: HookAgent, env: Environment): boolean {
  return env[observeVariable] === "1" || readObserved(home).includes(agent);
}

/** Writes whether hooks of this agent only record. */
export async function setObserved(home: Home, agent: HookAgent, observe: boolean): Promise<void> {
  if (readObserved(home).includes(agent) === observe) return;
  await editFile(home.observedFile, (content) => {
    const others = agentsIn(content === undefined ? "" : Buffer.from(content).toString()).filter(
      (other) => other !== agent,
    );
    return `${JSON.stringify({ version: 1, agents: observe ? [...others, agent] : others })}\n`;
  });
}

function readObserved({ observedFile }: Pick<Home, "observedFile">): readonly string[] {
  try {
    return agentsIn(readFileSync(observedFile, "utf8"));
  } catch {
    return []; // no agent was ever attached with --observe
  }
}

function agentsIn(text: string): readonly string[] {
  try {
    const { agents } = JSON.parse(text) as { readonly agents?: unknown }; // checked here
    return Array.isArray(agents) ? agents.map(String) : [];
  } catch {
    return [];
  }
}
