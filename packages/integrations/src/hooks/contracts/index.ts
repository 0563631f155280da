import type { HookContract } from "../hook-contract.ts";
import { claudeCodeContract } from "./claude-code.ts";

/** The contracts of all agents whose hooks can be answered. */
export const hookContracts: readonly HookContract[] = [claudeCodeContract];

/** The contract of an agent; undefined if there is none of this name. */
export function contractOf(agent: string): HookContract | undefined {
  return hookContracts.find((contract) => contract.agent === agent);
}
