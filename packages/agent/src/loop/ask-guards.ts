import { untilAborted } from "../async/until-aborted.ts";
import { type CallPart, callsOf, type Message } from "../protocol/messages.ts";
import type { GuardMessage, RunGuard } from "../protocol/run-guard.ts";
import type { AgentRun } from "./agent-run.ts";

/** Characters of a warning, which every pending call gets as its result, and of a problem. */
const MAX_WARNING = 4_000;
const MAX_PROBLEM = 400;

/** Asks the guards of the runtime's options, in order, and returns the first warning; undefined if there is none. */
export async function askGuards(run: AgentRun, calls: readonly CallPart[]): Promise<string | undefined> {
  const { setup, guards, history } = run;
  if (guards.length === 0 || calls.length === 0) return undefined;
  const { sessionId, runId } = setup;
  const messages = history.messages.map((message) => history.cache.get(message, toGuardMessage));
  for (const guard of [...guards]) {
    const context = { sessionId, runId, messages: [...messages], calls: structuredClone(calls) };
    const warning = await askGuard(run, guard, () => guard.call(context));
    if (typeof warning === "string" && warning.trim() !== "") return shortened(warning, MAX_WARNING);
  }
  return undefined;
}

async function askGuard(
  { guards, guard: guardian, events }: AgentRun,
  guard: RunGuard,
  ask: () => ReturnType<RunGuard["call"]>,
): Promise<string | null | undefined> {
  const signal = guardian.decisionSignal();
  try {
    const warning: unknown = await untilAborted(Promise.resolve(ask()), signal);
    if (warning === undefined || warning === null || typeof warning === "string") return warning;
    throw new TypeError(`expected text or nothing, got a value of type ${typeof warning}`);
  } catch (error) {
    if (signal.aborted) return undefined;
    guards.splice(guards.indexOf(guard), 1);
    const problem = shortened(problemOf(error), MAX_PROBLEM);
    events.emit({ type: "GuardFailed", problem: `A guard failed and is not asked again in this run: ${problem}` });
    return undefined;
  }
}

/** The message of an error. An error of a guard may have a message that cannot be read. */
function problemOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : "it threw something that is no error";
  } catch {
    return "its error has no readable message";
  }
}

function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

/** A copy: what a guard changes stays with the guards. */
function toGuardMessage(original: Message): GuardMessage {
  const message = structuredClone(original);
  if (message.role !== "assistant") return message;
  return { ...message, toolCalls: callsOf(message).map(({ tool, input }) => ({ name: tool, arguments: input })) };
}
