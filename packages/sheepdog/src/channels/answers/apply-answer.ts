import type { CommandOutcome } from "../../control/run-port.ts";
import { limitAmount } from "../../sentences/outcome-sentence.ts";
import { outsideWords } from "../../sentences/outside-words.ts";
import { logAnswer } from "./answer-log.ts";
import { answeredRequest } from "./answered-request.ts";
import type { AnswerContext, IncomingAnswer } from "./incoming-answer.ts";
import { type Intent, intentOfAction, intentOfText, intentOfVerb, type ReadIntent } from "./intent.ts";
import { type AnswerRequest, answerAction, claim, releaseClaim } from "./requests.ts";

/** What is said about an answer. `isSilent`: to a stranger nothing is said in the chat. */
export interface AnswerResult {
  readonly text: string;
  readonly isApplied: boolean;
  readonly isSilent: boolean;
  /** The buttons of the message have no use any more. */
  readonly isClosed: boolean;
}

/** Checks an answer, applies it once, writes it to the log, and says what came of it. */
export async function applyAnswer(context: AnswerContext, incoming: IncomingAnswer): Promise<AnswerResult> {
  const { now } = context;
  const request = await answeredRequest(context, incoming);
  if (request === "not ours") return { text: "", isApplied: false, isSilent: true, isClosed: false };
  if (request === "unclear")
    return { text: "Reply to the message that you mean.", isApplied: false, isSilent: false, isClosed: false };
  const refusal = request === "unknown" ? unknownRefusal(context, incoming) : refusalOf(request, incoming, now());
  if (request === "unknown" || refusal !== undefined) {
    const { reason, isSilent } = refusal ?? isOver;
    log(context, incoming, {
      ...(request === "unknown" ? {} : { request }),
      action: nameOf(incoming),
      outcome: { type: "refused", reason },
    });
    return { text: reason, isApplied: false, isSilent, isClosed: !isSilent };
  }
  const intent = readIntent(incoming, request);
  if ("problem" in intent) {
    const outcome = { type: "refused", reason: intent.problem } as const;
    log(context, incoming, { request, action: nameOf(incoming), outcome });
    return { text: intent.problem, isApplied: false, isSilent: false, isClosed: false };
  }
  return applyIntent(context, { incoming, request, intent });
}

function readIntent({ button, action, text = "" }: IncomingAnswer, { topic }: AnswerRequest): ReadIntent {
  if (button !== undefined) return intentOfVerb(button.verb, topic);
  const words = outsideWords(text);
  return action === undefined ? intentOfText(words, topic) : intentOfAction(action, words, topic);
}

/** What an answer is called in the log before it is understood. */
function nameOf({ button, action }: IncomingAnswer): string {
  return button?.verb ?? action ?? "text";
}

interface KnownAnswer {
  readonly incoming: IncomingAnswer;
  readonly request: AnswerRequest;
  readonly intent: Intent;
}

async function applyIntent(context: AnswerContext, { incoming, request, intent }: KnownAnswer): Promise<AnswerResult> {
  const { home, port } = context;
  const actions = claimsOf(intent, incoming);
  const taken = actions.filter((action) => claim(home, request.id, action));
  const isFirst = taken.length === actions.length;
  const outcome: CommandOutcome = isFirst
    ? await port.send(request.run.runId, intent.message).catch(() => ({ type: "unanswered" }) as const)
    : { type: "refused", reason: "This was answered already." };
  // What had no effect can be tried again.
  if (outcome.type === "unanswered" || outcome.type === "refused")
    for (const action of taken) releaseClaim(home, request.id, action);
  log(context, incoming, { request, action: intent.action, outcome });
  const isApplied = outcome.type === "applied";
  const isQuestion = request.topic.type !== "run";
  return {
    text: outcomeText(intent, outcome),
    isApplied,
    isSilent: false,
    isClosed: outcome.type === "ended" || (isQuestion && (isApplied || !isFirst)) || intent.action === "stop",
  };
}

/** A question has one answer; a button works once; a message counts once, however often it arrives. */
function claimsOf({ action, message }: Intent, { messageId, button }: IncomingAnswer): readonly string[] {
  const isAnswer = message.type === "approval" || message.type === "answer" || message.type === "reply";
  return [`message ${messageId}`, ...(isAnswer ? [answerAction] : button === undefined ? [] : [action])];
}

interface Refusal {
  readonly reason: string;
  readonly isSilent: boolean;
}

const isOver: Refusal = { reason: "This is over: the run does not wait for it any more.", isSilent: false };

/** A button of a run that has ended. Whoever may not answer here learns nothing about it. */
function unknownRefusal({ mayAnswer }: AnswerContext, { sender }: IncomingAnswer): Refusal {
  return { ...isOver, isSilent: !mayAnswer(sender) };
}

/** Why an answer does not count. */
function refusalOf(request: AnswerRequest, incoming: IncomingAnswer, now: number): Refusal | undefined {
  const { channel, answerBy, place } = request;
  if (!channel.answerFrom.includes(incoming.sender))
    return { reason: "You are not among those who may answer here.", isSilent: true };
  if (channel.account !== incoming.account || (place !== undefined && place !== incoming.place))
    return { reason: "This was asked in another chat.", isSilent: true };
  if (incoming.isEdited === true)
    return { reason: "An edited message does not count. Send a new one.", isSilent: false };
  return answerBy !== undefined && now > answerBy ? isOver : undefined;
}

interface Logged {
  /** Absent: it is not known any more. */
  readonly request?: AnswerRequest;
  readonly action: string;
  readonly outcome: CommandOutcome;
}

function log({ home, now }: AnswerContext, incoming: IncomingAnswer, { request, action, outcome }: Logged): void {
  const { type, sender, senderName, text } = incoming;
  logAnswer(home, {
    at: now(),
    channel: request?.channel.name ?? "",
    type,
    sender,
    ...(senderName === undefined ? {} : { senderName }),
    action,
    runId: request?.run.runId ?? null,
    outcome: outcome.type,
    ...(outcome.type === "refused" ? { reason: outcome.reason } : {}),
    ...(text === undefined ? {} : { text }),
  });
}

const doneTexts: Readonly<Record<Intent["action"], string>> = {
  approve: "Approved. The run continues.",
  deny: "Denied. The run continues without it.",
  continue: "The run continues.",
  stop: "The run is stopping.",
  tell: "The agent is told.",
  raise: "The limit is raised.",
  reply: "The agent has your answer.",
};

function outcomeText({ action }: Intent, outcome: CommandOutcome): string {
  switch (outcome.type) {
    case "applied": {
      const { message } = outcome;
      if (message.type !== "limit" || !("stop" in message)) return doneTexts[action];
      return `The limit is now ${limitAmount(message.limit, message.stop)}.`;
    }
    case "refused":
      return outcome.reason;
    case "ended":
      return "The run has ended.";
    case "unanswered":
      return "The run did not answer. Try again.";
    default:
      return outcome satisfies never;
  }
}
