import type { HookAgent } from "@sheepdog/integrations/hooks";
import type { Home } from "../home.ts";
import { shellWord } from "../render/terminal/shell-word.ts";
import type { Scope } from "./agents.ts";

/**
 * The command that settings name. It never changes: Codex asks its user again whenever it does. Settings of a project
 * are shared with people who may not have Sheepdog, and whose home is elsewhere.
 */
export function hookCommand(agent: HookAgent, scope: Scope, { hookScript }: Pick<Home, "hookScript">): string {
  if (scope !== "project") return `${shellWord(hookScript)} ${agent}`;
  const script = '"$HOME/.sheepdog/bin/sheepdog-hook"';
  return `[ ! -x ${script} ] || ${script} ${agent}`;
}

/** The command of Claude Code's status line. */
export function statusLineCommand({ hookScript }: Pick<Home, "hookScript">): string {
  return `${shellWord(hookScript)} status-line`;
}
