import { agentLabel } from "./agent-label.ts";
import { causeLabel } from "./cause-label.ts";
import type { Grouping } from "./groups.ts";

const unnamed: Readonly<Record<Grouping, string>> = {
  cause: "unknown",
  tool: "replies without calls",
  model: "unknown model",
  project: "unknown folder",
  agent: "unknown agent",
  hour: "unknown time",
  day: "unknown day",
  week: "unknown week",
  month: "unknown month",
};

/** The name of a group as people read it. Untrusted text: a model or a folder is as the recording says. */
export function groupLabel(by: Grouping, name: string): string {
  if (name === "") return unnamed[by];
  if (by === "cause") return causeLabel(name);
  if (by === "agent") return agentLabel(name);
  return by === "hour" ? `${name}:00` : name;
}
