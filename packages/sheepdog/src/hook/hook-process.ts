import { contractOf, type HookOutput } from "@sheepdog/integrations/hooks";
import { resolveHome } from "../home.ts";
import { emptyOutput, processHook } from "./process-hook.ts";
import { warmUp } from "./warm-up.ts";

export { interruptAgent } from "./interrupt-agent.ts";

/** The longest time a hook waits for other hooks of its session. */
export const LOCK_WAIT_MS = 6_000;

/** An event as bin/hook.js gets it. */
interface ReceivedEvent {
  readonly agent: string;
  readonly build: string;
  readonly text: string;
  readonly isObserving: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * Answers an event in this process. Undefined if the complete program has to: the settings are to be made, or the agent
 * has no contract. The entry of dist/hook.cjs.
 */
export function answerHere({ agent, build, ...event }: ReceivedEvent): HookOutput | undefined {
  const contract = contractOf(agent);
  if (contract === undefined) return undefined;
  try {
    const context = { home: resolveHome(event.env), build, now: Date.now, waitMs: LOCK_WAIT_MS };
    const output = processHook({ contract, ...event }, context);
    return "missingModels" in output ? undefined : output;
  } catch {
    return emptyOutput(contract); // there is no home folder
  }
}

/** Makes V8 compile what most hooks need, before bin/hook.js stores the compiled code. */
export function compileMost(agent: string): void {
  const contract = contractOf(agent);
  if (contract !== undefined) warmUp(contract);
}
