import { agentPlaces } from "@sheepdog/records";

let labels: ReadonlyMap<string, string> | undefined;

/** The name of an agent as people write it: "Claude Code" for `claude-code`. An unknown agent keeps its id. */
export function agentLabel(source: string): string {
  labels ??= new Map(
    agentPlaces({ env: {}, homeFolder: "/", platform: "linux" }).map(({ agent, label }) => [agent, label]),
  );
  return labels.get(source) ?? source;
}
