import type { HookContract } from "../hook-contract.ts";
import { claudeCodeContract } from "./claude-code.ts";
import { codexContract } from "./codex.ts";
import { cursorContract } from "./cursor.ts";
import { geminiCliContract } from "./gemini-cli.ts";
import { opencodeContract } from "./opencode.ts";

/** The contracts of all agents whose hooks can be answered. */
export const hookContracts: readonly HookContract[] = [
  claudeCodeContract,
  codexContract,
  geminiCliContract,
  cursorContract,
  opencodeContract,
];

/** The contract of an agent; undefined if there is none of this name. */
export function contractOf(agent: string): HookContract | undefined {
  return hookContracts.find((contract) => contract.agent === agent);
}
