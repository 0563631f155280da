import type { Open } from "../contestant.ts";
import { openAi } from "./ai.ts";
import { openBare } from "./bare.ts";
import { openLangchain } from "./langchain.ts";
import { openOpenaiAgents } from "./openai-agents.ts";
import { openOurs } from "./ours.ts";
import { openPi } from "./pi-agent-core.ts";

export const bare = "bare loop";
export const ours = "sheepdog";

/** Everybody who plays. Nothing of a contestant is loaded before it is opened. */
export const contestants: Readonly<Record<string, Open>> = {
  [bare]: openBare,
  [ours]: openOurs,
  "ai 6.0.326": openAi,
  "langchain 1.5.14": openLangchain,
  "@openai/agents 0.20.0": openOpenaiAgents,
  "pi-agent-core 0.73.1": openPi,
};

/** Those ours is held against. */
export const peers: readonly string[] = Object.keys(contestants).filter((name) => name !== bare && name !== ours);
