import type { Asker } from "./remote-answers.ts";

/** Questions that cannot be brought to anybody, by their kind and id: `call toolu_1`, `question q1`. */
export interface UnreachableQuestions {
  /** Withdraws a question. `reason` is a sentence without a full stop. */
  report(key: string, reason: string): void;
  /** The same asker, which gives up a question that is reported. */
  guard(asker: Asker): Asker;
}

/** Creates a list without questions. */
export function createUnreachableQuestions(): UnreachableQuestions {
  const open = new Map<string, (reason: string) => void>();

  /** Asks until the question is reported; then `otherwise` is the answer. */
  async function asked<A>(key: string, signal: AbortSignal, question: Guarded<A>): Promise<A> {
    const withdrawn = new AbortController();
    let reported: string | undefined;
    const withdraw = () => withdrawn.abort();
    signal.addEventListener("abort", withdraw, { once: true });
    if (signal.aborted) withdraw();
    open.set(key, (reason) => {
      reported = reason;
      withdraw();
    });
    try {
      return await question.ask(withdrawn.signal);
    } catch (error) {
      if (reported === undefined) throw error;
      return question.otherwise(reported);
    } finally {
      open.delete(key);
      signal.removeEventListener("abort", withdraw);
    }
  }

  return {
    report: (key, reason) => open.get(key)?.(reason),
    guard: ({ approve, ask, askAboutRun }) => ({
      approve: (call, reason, signal, rule) =>
        asked(`call ${call.id}`, signal, {
          ask: (withdrawn) => approve(call, reason, withdrawn, rule),
          otherwise: (why) => ({ isAllowed: false, isUnanswered: true, reason: `nobody could be asked: ${why}` }),
        }),
      ask: (question, signal) =>
        asked(`call ${question.callId}`, signal, {
          ask: (withdrawn) => ask(question, withdrawn),
          otherwise: () => undefined,
        }),
      askAboutRun: (question, signal) =>
        asked(`question ${question.id}`, signal, {
          ask: (withdrawn) => askAboutRun(question, withdrawn),
          otherwise: () => undefined,
        }),
    }),
  };
}

interface Guarded<A> {
  readonly ask: (withdrawn: AbortSignal) => Promise<A>;
  readonly otherwise: (reason: string) => A;
}
