import { refusal as refusalText, type StopReason } from "@sheepdog/guardian";
import type { Honours, HookAnswer } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import type { HookEvent } from "../hook-event.ts";
import type { AgentGuardian, Refusal } from "./agent-guardian.ts";

export interface AnswerOptions {
  readonly event: HookEvent;
  readonly honours: Honours;
  readonly refusal: Refusal | undefined;
  /** Why the agent has to end what it does. */
  readonly stop: { readonly reason: StopReason; readonly intervention: string; readonly message: string } | undefined;
  /** A refusal is a question to a person. */
  readonly asks: boolean;
  readonly contract: Pick<HookContract, "label" | "howToStop">;
}

/** Chooses what the agent is answered, of what it takes at this event. Messages that it does not take wait. */
export function chooseAnswer(agent: AgentGuardian, options: AnswerOptions): HookAnswer {
  const { event, honours, refusal } = options;
  if (event.type === "before-call" && options.stop !== undefined && !honours.stop && honours.deny) {
    agent.calls.set(event.call.id, "refused");
    return refuseAtEnd(agent, options.stop, options.contract);
  }
  const stop = stopText(agent, options);
  const isEnding = event.type === "stop" && !event.isContinued;
  const tells = honours.tell && stop === undefined && !isEnding ? agent.tells : [];
  if (tells.length > 0) agent.tells = [];
  return {
    ...(refusal === undefined ? {} : refusalPart(agent, refusal, options)),
    ...(tells.length === 0 ? {} : { tell: tells.map(({ message }) => `Sheepdog: ${message}`).join("\n") }),
    ...(stop === undefined ? {} : { stop }),
  };
}

/** After so many refusals, the person is told again what to press. */
const REMIND_EVERY = 10;

/**
 * The refusal of a call where the run has to end and the agent continues. The reason is said once, because each
 * repetition costs tokens. A model that makes another call needs a person to end its turn.
 */
function refuseAtEnd(
  agent: AgentGuardian,
  { message }: { readonly message: string },
  { label, howToStop }: AnswerOptions["contract"],
): HookAnswer {
  agent.refusedAtEnd++;
  if (agent.refusedAtEnd === 1) return { deny: refusalText(`${message} End your turn.`) };
  const isTold = agent.refusedAtEnd === 2 || agent.refusedAtEnd % REMIND_EVERY === 0;
  const notify = `${label} continues although all its calls are refused, and each request costs money: ${howToStop}.`;
  return { deny: "Refused. End your turn.", ...(isTold ? { notify } : {}) };
}

/**
 * The stop of the run. A call after it is stopped again: a refusal alone would let the agent try forever. An agent that
 * ends its work is stopped once for each reason, and one that waits for a background task is left alone.
 */
function stopText(agent: AgentGuardian, { event, honours, stop, contract }: AnswerOptions): string | undefined {
  if (stop === undefined || !honours.stop) return undefined;
  if (event.type === "stop") {
    if (event.isWaiting || !event.isContinued || agent.stopSaid === stop.intervention) return undefined;
    agent.stopSaid = stop.intervention;
  }
  if (event.type === "prompt" && event.origin !== "person") return undefined;
  return `Sheepdog stopped ${contract.label}. ${stop.message} ${howToContinue(stop.reason)}`;
}

/** A message of the user begins another run; a limit of several runs ends that one too. */
function howToContinue(reason: StopReason): string {
  const [, several] = /^(session|day|month)_budget$/.exec(reason) ?? [];
  if (several === undefined) return "Write a message to continue.";
  return `To continue, raise the limit: sheepdog budget set ${several} <dollars>`;
}

function refusalPart(
  agent: AgentGuardian,
  { message, episode }: Refusal,
  { honours, asks }: AnswerOptions,
): Pick<HookAnswer, "deny" | "ask"> {
  const question = asks && honours.ask && episode !== undefined ? agent.questions.get(episode) : undefined;
  if (question !== undefined) return { ask: `Sheepdog: ${question} Allow it, and it is no longer refused?` };
  return honours.deny ? { deny: message } : {};
}
