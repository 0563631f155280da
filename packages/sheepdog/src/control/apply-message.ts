import type { Run } from "@sheepdog/agent";
import type { AnswerMessage, ControlMessage } from "./control-message.ts";
import type { OpenQuestions } from "./open-questions.ts";

/**
 * The result of applying a message. `applied` carries the message with the new limit in place of `more`; `refused`: the
 * run cannot do that, and `reason` says why in a sentence; `ended`: the run has ended or is about to.
 */
export type ApplyResult =
  | { readonly type: "applied"; readonly message: ControlMessage }
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "ended" };

/** Applies a message to a run. Without `questions`, the run asks nobody. */
export async function applyMessage(
  run: Run,
  message: ControlMessage,
  questions: OpenQuestions | undefined,
): Promise<ApplyResult> {
  switch (message.type) {
    case "limit":
      return setLimit(run, message);
    case "steer": {
      const problem = await run.steeringProblem(message.text);
      if (problem !== undefined) return { type: "refused", reason: problem };
      return (await run.steer(message.text)) ? { type: "applied", message } : { type: "ended" };
    }
    case "stop":
      run.cancel();
      return { type: "applied", message };
    case "mute":
    case "unmute":
      return run.control(message) ? { type: "applied", message } : { type: "ended" };
    case "approval":
    case "answer":
    case "reply": {
      const reason = await refusalOf(run, message, questions);
      return reason === undefined ? { type: "applied", message } : { type: "refused", reason };
    }
    default:
      return message satisfies never;
  }
}

/** Gives an answer. A message for the agent that is too long is refused here, since its sender can shorten it. */
async function refusalOf(
  run: Run,
  message: AnswerMessage,
  questions: OpenQuestions | undefined,
): Promise<string | undefined> {
  const isMessage = message.type === "answer" && message.answer.type === "tell";
  const problem = isMessage ? await run.steeringProblem(message.answer.text) : undefined;
  if (problem !== undefined) return problem;
  return questions === undefined ? "No such question is open." : questions.answer(message);
}

function setLimit(run: Run, message: Extract<ControlMessage, { type: "limit" }>): ApplyResult {
  const absolute = "more" in message ? addToLimit(run, message) : message;
  if (absolute === undefined) return { type: "refused", reason: `The run has no limit ${message.limit} to add to.` };
  return run.control(absolute) ? { type: "applied", message: absolute } : { type: "ended" };
}

/** Adds to the limit in force. The warning stays at the same share of the limit. */
function addToLimit(
  run: Run,
  { type, limit, more }: Extract<ControlMessage, { more: number }>,
): Extract<ControlMessage, { stop: number }> | undefined {
  const { stop = 0, warn = 0 } = run.limits()[limit] ?? {};
  if (stop === 0) return undefined;
  return { type, limit, stop: stop + more, ...(warn === 0 ? {} : { warn: Math.round((warn / stop) * (stop + more)) }) };
}
