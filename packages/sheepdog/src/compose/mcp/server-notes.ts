import type { McpServerStatus } from "@sheepdog/agent/mcp";

/** What the user should know about a server; undefined if all is well. */
export function serverNote({ name, state, problem, pending, toolProblems }: McpServerStatus): string | undefined {
  const server = `The MCP server "${name}"`;
  switch (state) {
    case "starting":
      return `${server} is still starting; its tools come with a later turn.`;
    case "needs-login":
      return `${server} asks for a login, and its tools are missing. To log in: sheepdog mcp login ${name}`;
    case "failed":
      return `${server} did not start, and its tools are missing. ${problem ?? ""}`;
    case "ended":
      return `${server} is not running. ${problem ?? ""} It is started again with the next call.`;
    case "ready":
      return toolsNote(
        name,
        pending.map(({ previous }) => previous !== undefined),
        toolProblems,
      );
    case "closed":
      return undefined;
    default:
      return state satisfies never;
  }
}

function toolsNote(name: string, pending: readonly boolean[], toolProblems: readonly string[]): string | undefined {
  const changed = pending.filter((isChanged) => isChanged).length;
  const added = pending.length - changed;
  const parts = [...(added > 0 ? [`${added} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])];
  const one = pending.length === 1;
  if (parts.length > 0)
    return (
      `The MCP server "${name}" has ${parts.join(" and ")} ${one ? "tool, which is" : "tools, which are"} left out ` +
      `until you approve ${one ? "it. To look at it" : "them. To look at them"}: sheepdog mcp approve ${name}`
    );
  return toolProblems.length === 0 ? undefined : `The MCP server "${name}": ${toolProblems.join("; ")}.`;
}
