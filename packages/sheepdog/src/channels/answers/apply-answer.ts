import { setTimeout } from "node:timers/promises";
import type { CommandOutcome, RunPort } from "../../control/run-port.ts";
import type { Home } from "../../home.ts";
import { limitAmount } from "../../sentences/outcome-sentence.ts";
import { logAnswer } from "./answer-log.ts";
import { type Intent, intentOfText, intentOfVerb } from "./intent.ts";
import {
  type AnswerRequest,
  allRequests,
  answerAction,
  claim,
  findRequest,
  findRequestByMessage,
  releaseClaim,
} from "./requests.ts";

/** What somebody sent through a channel, as far as all vendors have it. Nothing in it is trusted. */
export interface IncomingAnswer {
  readonly account: string;
  /** The name of the channel, if the request is unknown. */
  readonly type: string;
  /** Unique at the vendor: the same message is never applied twice. */
  readonly messageId: string;
  readonly sender: string;
  readonly senderName?: string;
  /** The chat it came from. */
  readonly place: string;
  /** What a button sent. */
  readonly button?: { readonly verb: string; readonly requestId: string };
  /** The request that a text answers, if the sender names it. */
  readonly requestId?: string;
  /** The message that it replies to. */
  readonly replyTo?: string;
  readonly text?: string;
  readonly isEdited?: boolean;
}

/** What is said about an answer. `isSilent`: to a stranger nothing is said in the chat. */
export interface AnswerResult {
  readonly text: string;
  readonly isApplied: boolean;
  readonly isSilent: boolean;
  /** The buttons of the message have no use any more. */
  readonly isClosed: boolean;
}

export interface AnswerContext {
  readonly home: Home;
  readonly port: Pick<RunPort, "send">;
  readonly now: () => number;
}

/** Checks an answer, applies it once, writes it to the log, and says what came of it. */
export async function applyAnswer(context: AnswerContext, incoming: IncomingAnswer): Promise<AnswerResult> {
  const { home, now } = context;
  const request = await requestOf(home, incoming);
  const refusal = refusalOf(request, incoming, now());
  if (request === undefined || refusal !== undefined) {
    const { reason, isSilent } = refusal ?? unknownRequest;
    log(context, incoming, { request, action: incoming.button?.verb ?? "text", outcome: { type: "refused", reason } });
    return { text: reason, isApplied: false, isSilent, isClosed: !isSilent };
  }
  const { button, text = "" } = incoming;
  const intent = button === undefined ? intentOfText(text, request.topic) : intentOfVerb(button.verb, request.topic);
  if ("problem" in intent) return { text: intent.problem, isApplied: false, isSilent: false, isClosed: false };
  return applyIntent(context, { incoming, request, intent });
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

/** How long a reply waits for the delivery of the message that it replies to. */
const DELIVERY_MS = 5_000;
const DELIVERY_CHECK_MS = 50;

async function requestOf(home: Home, incoming: IncomingAnswer): Promise<AnswerRequest | undefined> {
  const { account, place, button, replyTo: messageId, requestId = button?.requestId } = incoming;
  if (requestId !== undefined) return findRequest(home, requestId);
  if (messageId === undefined) return undefined;
  // A reply can arrive before the vendor has confirmed the message: then its id is not known yet.
  for (let waitedMs = 0; waitedMs < DELIVERY_MS; waitedMs += DELIVERY_CHECK_MS) {
    const request = findRequestByMessage(home, { account, place, messageId });
    if (request !== undefined || !isBeingSent(home, account)) return request;
    await setTimeout(DELIVERY_CHECK_MS);
  }
  return undefined;
}

/** Whether a message of this account is on its way. */
function isBeingSent(home: Home, account: string): boolean {
  return allRequests(home).some(
    ({ channel, delivery }) => channel.account === account && delivery?.isSent !== true && delivery?.isRefused !== true,
  );
}

interface Refusal {
  readonly reason: string;
  readonly isSilent: boolean;
}

const unknownRequest: Refusal = { reason: "This is over: the run does not wait for it any more.", isSilent: false };

/** Why an answer does not count. */
function refusalOf(request: AnswerRequest | undefined, incoming: IncomingAnswer, now: number): Refusal | undefined {
  if (request === undefined) return unknownRequest;
  const { channel, answerBy, place } = request;
  if (!channel.answerFrom.includes(incoming.sender))
    return { reason: "You are not among those who may answer here.", isSilent: true };
  if (channel.account !== incoming.account || (place !== undefined && place !== incoming.place))
    return { reason: "This was asked in another chat.", isSilent: true };
  if (incoming.isEdited === true)
    return { reason: "An edited message does not count. Send a new one.", isSilent: false };
  return answerBy !== undefined && now > answerBy ? unknownRequest : undefined;
}

interface Logged {
  readonly request: AnswerRequest | undefined;
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
