import { contractOf, type HookAgent } from "@sheepdog/integrations/hooks";

/** How our hooks are written in the settings of one agent. */
export interface HookShape {
  readonly agent: HookAgent;
  /** The events that have to be attached, in the agent's own words. */
  readonly events: readonly string[];
  /** `nested`: an event has groups of hooks. `flat`: it has hooks. */
  readonly form: "nested" | "flat";
  /** Our hook at an event. */
  handler(event: string): Readonly<Record<string, unknown>>;
  /** What a file must say about itself, such as its version. */
  readonly header: Readonly<Record<string, unknown>>;
  /** The agent reads JSON without comments and trailing commas only. */
  readonly isStrict: boolean;
}

/** The agents whose settings name commands. */
export type CommandAgent = Exclude<HookAgent, "opencode">;

/** Hooks that take longer are ended by the agent, which continues. In seconds. */
const TIMEOUT_S = 10;
/** Codex allows no more at the end of a session. */
const CODEX_END_TIMEOUT_S = 3;

/** How hooks of an agent are written that start this command. */
export function hookShape(agent: CommandAgent, command: string): HookShape {
  const nested = {
    agent,
    events: contractOf(agent)?.events ?? [],
    form: "nested",
    header: {},
    isStrict: false,
  } as const;
  switch (agent) {
    case "claude-code":
      return { ...nested, isStrict: true, handler: () => ({ type: "command", command, timeout: TIMEOUT_S }) };
    case "codex":
      return { ...nested, isStrict: true, handler: (event) => codexHandler(event, command) };
    case "gemini-cli": {
      const handler = { name: "sheepdog", type: "command", command, timeout: TIMEOUT_S * 1_000 };
      return { ...nested, handler: () => handler };
    }
    case "cursor":
      return { ...nested, form: "flat", header: { version: 1 }, handler: () => ({ command, timeout: TIMEOUT_S }) };
    default:
      return agent satisfies never;
  }
}

function codexHandler(event: string, command: string): Readonly<Record<string, unknown>> {
  return { type: "command", command, timeout: event === "SessionEnd" ? CODEX_END_TIMEOUT_S : TIMEOUT_S };
}

/** Whether a command of settings starts Sheepdog for this agent, in this or an earlier form. */
export function isOurCommand(command: unknown, agent: HookAgent | "status-line"): boolean {
  if (typeof command !== "string") return false;
  const own = agent === "status-line" ? "sheepdog(?:-hook|(?:\\.js)?)" : "sheepdog(?:-hook|(?:\\.js)?['\"]? hook)";
  return new RegExp(`\\b${own}['"]? +${agent}(?![\\w-])`).test(command);
}
