import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { CommandContext } from "../../run-commands/command-context.ts";
import type { Program } from "../../run-commands/spawn-run.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";

/** What the tools of the MCP server work with. */
export interface ToolServer {
  readonly context: CommandContext;
  readonly program: Program;
  /** The folders, without links, in which runs may work. Runs elsewhere are not shown. Empty: none was chosen. */
  readonly roots: readonly string[];
  readonly isReadOnly: boolean;
  /** How many runs that were started over MCP may be alive at a time. */
  readonly maxRuns: number;
  /** A person answers the questions of runs, elsewhere. */
  readonly isAnswered: boolean;
}

/** Ends a tool call with a sentence for the other agent. */
export class ToolRefusal extends Error {}

const prefix = "ses_mcp_";

/** The id of a session that another agent starts: its runs are marked by it wherever they are listed. */
export function mcpSessionId(sessionId: string): string {
  return sessionId.replace(/^ses_/, prefix);
}

/** Whether another agent started the session. */
export function isMcpSession(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

/**
 * A file or folder without links. A relative path begins at the first root that has it; no path names the only root.
 * Refuses one outside the roots.
 */
export async function allowedPath({ roots }: ToolServer, path: string | undefined): Promise<string> {
  const [root] = roots;
  if (root === undefined)
    throw new ToolRefusal(
      "No folder was chosen for runs. The user has to start this server with: sheepdog mcp-server --root <folder>",
    );
  if (path === undefined && roots.length > 1)
    throw new ToolRefusal(`There are several roots. Name a folder in one of them: ${roots.join(", ")}.`);
  const candidates = isAbsolute(path ?? root) ? [path ?? root] : roots.map((each) => resolve(each, path ?? ""));
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => undefined);
    if (real === undefined) continue;
    if (isInRoots(roots, real)) return real;
    throw new ToolRefusal(`Only what is in ${roots.join(", ")} can be used, and ${path} is not inside.`);
  }
  throw new ToolRefusal(`There is no file or folder ${path}.`);
}

/** Whether a folder is one of the roots, or inside one. */
export function isInRoots(roots: readonly string[], folder: string): boolean {
  return roots.some((root) => folder === root || folder.startsWith(root === "/" ? "/" : `${root}/`));
}

/** A run in the roots. Refuses all others as if they did not exist. */
export async function visibleRun({ context, roots }: ToolServer, id: string): Promise<RunSummary> {
  const found = await findRun(context.stores, id, context.now());
  if (!found.ok) throw new ToolRefusal(`There is no run ${id}. list_runs lists all.`);
  const { workspace } = found.summary.run;
  if (workspace === undefined || !isInRoots(roots, workspace))
    throw new ToolRefusal(`There is no run ${id}. list_runs lists all.`);
  return found.summary;
}

/** A run that another agent started. Runs of the user are only shown. */
export async function ownRun(server: ToolServer, id: string): Promise<RunSummary> {
  const summary = await visibleRun(server, id);
  if (!isMcpSession(summary.sessionId))
    throw new ToolRefusal("The user started this run. Only runs that were started over MCP can be changed here.");
  return summary;
}
