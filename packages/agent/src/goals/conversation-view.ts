import { shortened } from "@sheepdog/guardian/opinion";
import { type AssistantMessage, callsOf, type Message, type ResultMessage, textOf } from "../protocol/messages.ts";
import type { JudgeInput } from "./judge.ts";

/** The newest calls, replies and messages of the user that are shown, and how many characters of each. */
const MAX_CALLS = 12;
const MAX_REPLIES = 4;
const MAX_USER_MESSAGES = 3;
const MAX_FILES = 40;
const MAX_PROMPT = 4_000;
const MAX_ARGUMENTS = 300;
const MAX_RESULT = 700;
const MAX_REPLY = 800;
const MAX_ANSWER = 16_000;

/**
 * The run as the judge's model reads it: the prompt, the newest calls, replies and messages, and the answer. Its size
 * does not grow with the number of turns. Secrets are masked before anything is cut.
 */
export function conversationView(input: JudgeInput): readonly object[] {
  const { prompt, output, isAnswer, redact } = input;
  const files = input.writtenFiles();
  const newest = { [isAnswer ? "answer" : "newestReply"]: shortened(redact(output), MAX_ANSWER) };
  return [
    { prompt: shortened(redact(prompt), MAX_PROMPT) },
    ...newestLines(input),
    ...(files.length === 0
      ? []
      : [{ writtenFiles: files.slice(-MAX_FILES).map((path) => shortened(redact(path), 200)) }]),
    newest,
  ];
}

interface Rest {
  calls: number;
  replies: number;
  userMessages: number;
}

/** Reads the messages of the run backwards until enough of each kind is found. Oldest first. */
function newestLines({ messages, startedAt, prompt, output, redact }: JudgeInput): readonly object[] {
  const rest: Rest = { calls: MAX_CALLS, replies: MAX_REPLIES, userMessages: MAX_USER_MESSAGES };
  const results = new Map<string, ResultMessage>();
  const lines: object[] = [];
  let isNewestReply = true;
  for (const message of messages.toReversed()) {
    if (message.at < startedAt || (rest.calls <= 0 && rest.replies <= 0)) break;
    if (message.role === "tool") results.set(message.callId, message);
    else if (message.role === "user") lines.push(...(message.text === prompt ? [] : userLine(message, rest, redact)));
    else {
      const isShownAsOutput = isNewestReply && output.endsWith(textOf(message));
      lines.push(
        ...callLines(message, { results, rest, redact }),
        ...(isShownAsOutput ? [] : replyLine(message, rest, redact)),
      );
      isNewestReply = false;
    }
  }
  return lines.reverse();
}

type Redact = JudgeInput["redact"];

function userLine(message: Extract<Message, { readonly role: "user" }>, rest: Rest, redact: Redact): readonly object[] {
  const isOfUser = message.origin === "person" || message.reason === "judge";
  if (!isOfUser || rest.userMessages <= 0) return [];
  rest.userMessages -= 1;
  return [{ [message.reason === "judge" ? "yourHint" : "user"]: shortened(redact(message.text), MAX_REPLY) }];
}

function replyLine(message: AssistantMessage, rest: Rest, redact: Redact): readonly object[] {
  const text = textOf(message).trim();
  if (text === "" || rest.replies <= 0) return [];
  rest.replies -= 1;
  return [{ reply: shortened(redact(text), MAX_REPLY) }];
}

interface CallOptions {
  readonly results: ReadonlyMap<string, ResultMessage>;
  readonly rest: Rest;
  readonly redact: Redact;
}

/** Newest first, as the caller reads backwards. */
function callLines(message: AssistantMessage, { results, rest, redact }: CallOptions): readonly object[] {
  const calls = callsOf(message).toReversed().slice(0, Math.max(0, rest.calls));
  rest.calls -= calls.length;
  return calls.map(({ id, tool, input, problem }) => {
    const result = results.get(id);
    const args = shortened(redact(JSON.stringify(input) ?? problem ?? ""), MAX_ARGUMENTS);
    return {
      call: shortened(redact(tool), 80),
      args,
      ...(result === undefined ? {} : { status: result.status, result: shortened(redact(result.content), MAX_RESULT) }),
    };
  });
}
