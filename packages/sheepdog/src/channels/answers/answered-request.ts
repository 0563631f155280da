import { setTimeout } from "node:timers/promises";
import type { Home } from "../../home.ts";
import { isWaiting } from "../notice.ts";
import type { AnswerContext, IncomingAnswer } from "./apply-answer.ts";
import { type AnswerRequest, allRequests, findRequest, findRequestByMessage, isAnswered } from "./requests.ts";

/**
 * `unknown`: a request that is over. `unclear`: a message in a private chat that several questions could mean, or none.
 * `not ours`: a message of a conversation that this program has no part in.
 */
export type AnsweredRequest = AnswerRequest | "unknown" | "unclear" | "not ours";

/** How long a reply waits for the delivery of the message that it replies to. */
const deliveryMs = 5_000;
const deliveryCheckMs = 50;

/** Finds the request that an answer is about: by its id, by the message it replies to, or as the only open question. */
export async function answeredRequest(
  { home, mayAnswer }: Pick<AnswerContext, "home" | "mayAnswer">,
  incoming: IncomingAnswer,
): Promise<AnsweredRequest> {
  const { account, place, button, sender, replyTo: messageId, requestId = button?.requestId } = incoming;
  if (requestId !== undefined) return findRequest(home, requestId) ?? "unknown";
  if (messageId === undefined) return mayAnswer(sender) ? onlyQuestion(home, incoming) : "not ours";
  // A reply can arrive before the vendor has confirmed the message: then its id is not known yet.
  for (let waitedMs = 0; waitedMs <= deliveryMs; waitedMs += deliveryCheckMs) {
    const request = findRequestByMessage(home, { account, place, messageId });
    if (request !== undefined) return request;
    if (!mayAnswer(sender) || !isBeingSent(home, account)) break;
    await setTimeout(deliveryCheckMs);
  }
  return "not ours";
}

/** The question that a message in a private chat answers, if exactly one was open there when it was written. */
function onlyQuestion(home: Home, { account, place, directNumber = 0 }: IncomingAnswer): AnsweredRequest {
  const open = allRequests(home).filter(
    (request) =>
      request.channel.account === account &&
      request.place === place &&
      isWaiting(request) &&
      !isAnswered(home, request.id),
  );
  const [question] = open;
  return question !== undefined && open.length === 1 && Number(question.messageId) < directNumber
    ? question
    : "unclear";
}

/** Whether a message of this account is on its way. */
function isBeingSent(home: Home, account: string): boolean {
  return allRequests(home).some(
    ({ channel, delivery }) => channel.account === account && delivery?.isSent !== true && delivery?.isRefused !== true,
  );
}
