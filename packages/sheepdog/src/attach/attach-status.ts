import { existsSync } from "node:fs";
import type { HookAgent } from "@sheepdog/integrations/hooks";
import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { type AttachableAgent, attachableAgents, type Scope } from "./agents.ts";
import { findAttached } from "./detach.ts";
import { type HookActivity, hookActivity } from "./hook-activity.ts";
import { observeMark } from "./hook-script.ts";
import { hasMark } from "./mark.ts";
import { settingsEditor } from "./settings-editor.ts";
import { lastLines, spoolsOf } from "./spools.ts";

/** An agent with the places where it is attached, and what its hooks did. */
export interface AttachedAgent {
  readonly agent: AttachableAgent;
  readonly places: readonly AttachedPlace[];
  readonly isObserving: boolean;
  readonly activity: HookActivity;
}

interface AttachedPlace {
  readonly scope: Scope;
  readonly file: string;
  /** False if the settings have other hooks of Sheepdog than this version would write. */
  readonly isCurrent: boolean;
}

const MAX_SPOOLS = 30;
const MAX_BYTES = 400_000;

/** The state of all agents that are attached or whose hooks have fired, as with `watch`. */
export async function attachStatus(home: Home, io: Pick<Io, "env" | "cwd">): Promise<readonly AttachedAgent[]> {
  const attached = await findAttached(home, io);
  return attachableAgents.flatMap((agent) => {
    const places = attached
      .filter((each) => each.agent.id === agent.id)
      .map(({ scope, file, text }) => ({ scope, file, isCurrent: isCurrent(agent.id, { scope, text }, home) }));
    const activity = activityOf(agent.id, home);
    if (places.length === 0 && activity.firings === 0) return [];
    return [{ agent, places, isObserving: hasMark(observeMark(home, agent.id)), activity }];
  });
}

function isCurrent(
  agent: HookAgent,
  { scope, text }: { readonly scope: Scope; readonly text: string },
  home: Home,
): boolean {
  const added = settingsEditor({ agent, scope, statusLine: false }, home).add(text);
  return existsSync(home.hookScript) && added.ok && added.text === text;
}

/** What the newest spools say. */
function activityOf(agent: HookAgent, home: Home): HookActivity {
  const spools = spoolsOf(home, agent).slice(0, MAX_SPOOLS);
  return hookActivity(spools.toReversed().flatMap((spool) => lastLines(spool, MAX_BYTES)));
}
