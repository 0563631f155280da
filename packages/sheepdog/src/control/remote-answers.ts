import type { Approve, Ask, AskAboutRun } from "@sheepdog/agent";
import { callKey } from "./call-key.ts";
import type { AnswerMessage } from "./control-message.ts";
import type { AnswerOf, OpenQuestions } from "./open-questions.ts";
import { refusal } from "./refusal.ts";

/** The ways in which a run asks its user. */
export interface Asker {
  /** The calls that the user always allows, by `callKey`. The asker lets them pass. */
  readonly alwaysAllowed?: Set<string>;
  readonly approve: Approve;
  readonly ask: Ask;
  readonly askAboutRun: AskAboutRun;
}

export interface RemoteAnswersOptions {
  readonly questions: OpenQuestions;
  /** Asks in the terminal of the run. Absent: only other processes can answer. */
  readonly terminal?: Asker;
  /** Shows a sentence in the terminal, after a question was withdrawn from it. */
  readonly say?: (sentence: string) => void;
}

/**
 * Asks in the terminal and lets other processes answer as well. The first answer counts, and the question is withdrawn
 * from the other side.
 */
export function withRemoteAnswers({ questions, terminal, say }: RemoteAnswersOptions): Asker {
  async function firstAnswer<T extends AnswerMessage["type"], A>(question: AskedTwice<T, A>): Promise<A> {
    const { type, id, signal, ask, isAnswer, read } = question;
    const remote = questions.open(type, id);
    const withdrawn = new AbortController();
    const withdraw = () => {
      remote.close(false);
      withdrawn.abort();
    };
    signal.addEventListener("abort", withdraw, { once: true });
    if (signal.aborted) withdraw();
    const asked = ask?.(withdrawn.signal);
    const wait = asked === undefined ? waitUntilAborted(withdrawn.signal) : undefined;
    const remoteFirst = remote.answer.then((message): FirstAnswer<T, A> => ({ message }));
    const terminalFirst = asked?.then((answer): FirstAnswer<T, A> | typeof remoteFirst =>
      remote.close(isAnswer(answer)) ? { answer } : remoteFirst,
    );
    try {
      const first = await Promise.race([remoteFirst, terminalFirst ?? wait?.aborted ?? remoteFirst]);
      if ("answer" in first) return first.answer;
      withdrawn.abort();
      const tell = () => say?.(`Answered from another process: ${shownAnswer(first.message)}`);
      if (asked !== undefined) asked.then(tell, tell);
      return read(first.message);
    } finally {
      wait?.stop();
      remote.close(false);
      signal.removeEventListener("abort", withdraw);
    }
  }

  const alwaysAllowed = terminal?.alwaysAllowed ?? new Set<string>();

  return {
    approve: async (call, reason, signal, rule) => {
      if (terminal === undefined && alwaysAllowed.has(callKey(call))) return { isAllowed: true, by: "remote" };
      return firstAnswer({
        type: "approval",
        id: call.id,
        signal,
        ask: terminal && (async (withdrawn) => byTerminal(await terminal.approve(call, reason, withdrawn, rule))),
        isAnswer: ({ isUnanswered }) => isUnanswered !== true,
        read: ({ isAllowed, isAlways, reason: why }) => {
          if (isAlways) alwaysAllowed.add(callKey(call));
          return {
            isAllowed,
            by: "remote",
            ...(isAllowed ? {} : refusal(why)),
          };
        },
      });
    },
    ask: (question, signal) =>
      firstAnswer<"reply", string | undefined>({
        type: "reply",
        id: question.callId,
        signal,
        ask: terminal && ((withdrawn) => terminal.ask(question, withdrawn)),
        isAnswer: () => !signal.aborted,
        read: ({ text }) => text,
      }),
    askAboutRun: (question, signal) =>
      firstAnswer<"answer", Awaited<ReturnType<AskAboutRun>>>({
        type: "answer",
        id: question.id,
        signal,
        ask:
          terminal &&
          (async (withdrawn) => {
            const answer = await terminal.askAboutRun(question, withdrawn);
            return answer && { ...answer, by: "terminal" };
          }),
        isAnswer: (answer) => answer !== undefined,
        read: ({ answer }) => ({ ...answer, by: "remote" }),
      }),
  };
}

/** Keeps the process alive while only other processes can answer. Rejects when the question is withdrawn. */
function waitUntilAborted(signal: AbortSignal): { readonly aborted: Promise<never>; stop(): void } {
  const keepAlive = setInterval(() => {}, 60_000);
  const aborted = new Promise<never>((_, reject) => {
    const withdraw = () => reject(new Error("the question was withdrawn"));
    if (signal.aborted) withdraw();
    signal.addEventListener("abort", withdraw, { once: true });
  });
  return { aborted, stop: () => clearInterval(keepAlive) };
}

/** A question that is asked in the terminal and answered there or by another process. */
interface AskedTwice<T extends AnswerMessage["type"], A> {
  readonly type: T;
  readonly id: string;
  readonly signal: AbortSignal;
  readonly ask: ((withdrawn: AbortSignal) => Promise<A>) | undefined;
  /** Whether the terminal gave an answer, or the question ended there without one. */
  isAnswer(answer: A): boolean;
  read(message: AnswerOf<T>): A;
}

/** The answer of the terminal, or the message of another process. */
type FirstAnswer<T extends AnswerMessage["type"], A> = { readonly answer: A } | { readonly message: AnswerOf<T> };

function byTerminal(approval: Awaited<ReturnType<Approve>>): Awaited<ReturnType<Approve>> {
  return approval.isUnanswered === true ? approval : { ...approval, by: "terminal" };
}

function shownAnswer(message: AnswerMessage): string {
  switch (message.type) {
    case "approval":
      if (message.isAlways) return "always allowed.";
      return message.isAllowed ? "allowed." : `refused${message.reason ? `: ${message.reason}` : "."}`;
    case "answer":
      return message.answer.type === "tell" ? message.answer.text : `${message.answer.type}.`;
    case "reply":
      return message.text;
    default:
      return message satisfies never;
  }
}
