import type { Io } from "../../io.ts";

/** How many runs deep this process is, if the runs were started through `sheepdog mcp-server`. */
export const DEPTH_VARIABLE = "SHEEPDOG_MCP_DEPTH";

/** A run that was started by a run that was started by another agent starts no more. */
export const MAX_DEPTH = 2;

/** The depth of this process; 0 outside of such runs. Anything that is no number counts as the maximum. */
export function mcpDepth(env: Io["env"]): number {
  const text = env[DEPTH_VARIABLE];
  if (text === undefined || text === "") return 0;
  return /^\d{1,3}$/.test(text) ? Number(text) : MAX_DEPTH;
}

/** The variable that a server of this process gets. */
export function depthVariable(env: Io["env"]): Readonly<Record<string, string>> {
  const depth = mcpDepth(env);
  return depth === 0 ? {} : { [DEPTH_VARIABLE]: String(depth) };
}
