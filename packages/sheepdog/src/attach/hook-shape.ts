import type { HookAgent } from "@sheepdog/integrations/hooks";

/** How our hooks are written in the settings of one agent. */
export interface HookShape {
  readonly agent: HookAgent;
  /** The events that have to be attached, in the agent's own words. */
  readonly events: readonly string[];
  /** `nested`: an event has groups of hooks. `flat`: it has hooks. */
  readonly form: "nested" | "flat";
  /** Our hook; the same at each event. */
  readonly handler: { readonly command: string } & Readonly<Record<string, unknown>>;
  /** What a file must say about itself, such as its version. */
  readonly header: Readonly<Record<string, unknown>>;
  /** The agent reads JSON without comments and trailing commas only. */
  readonly isStrict: boolean;
}

/** Whether a command of settings starts Sheepdog for this agent, in this or an earlier form. */
export function isOurCommand(command: unknown, agent: HookAgent | "status-line"): boolean {
  if (typeof command !== "string") return false;
  const own = agent === "status-line" ? "sheepdog(?:-hook|(?:\\.js)?)" : "sheepdog(?:-hook|(?:\\.js)?['\"]? hook)";
  return new RegExp(`\\b${own}['"]? +${agent}(?![\\w-])`).test(command);
}
