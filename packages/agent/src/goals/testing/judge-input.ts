import type { Goal } from "../../protocol/goal.ts";
import type { JudgeAnswer, JudgeInput, JudgeQuestion } from "../judge.ts";

/** The input of a judge about an answer; the model accepts, and every command succeeds. */
export function judgeInput(goal: Goal, more: Partial<JudgeInput> = {}): JudgeInput {
  const isAnswer = more.isAnswer ?? true;
  return {
    goal,
    output: "",
    isAnswer,
    messages: [],
    signal: new AbortController().signal,
    prompt: "Go.",
    startedAt: 0,
    turn: 1,
    elapsedMs: 0,
    costNanoUsd: 0,
    workspace: "/work",
    checks: {},
    isModelDue: isAnswer,
    hasChanged: false,
    usedTools: () => [],
    writtenFiles: () => [],
    redact: (text) => text,
    runCommand: async () => ({ isOk: true, output: "", ms: 5 }),
    ask: async () => answerOf({ verdict: "accept" }),
    ...more,
  };
}

/** The model's answer with this JSON. */
export function answerOf(said: unknown): JudgeAnswer {
  return { type: "answered", text: JSON.stringify(said), model: "judge", costNanoUsd: 7 };
}

/** A function for `ask` that gives one answer, and the questions that it got. */
export function modelThatSays(said: unknown): {
  readonly ask: JudgeInput["ask"];
  readonly questions: readonly JudgeQuestion[];
} {
  const questions: JudgeQuestion[] = [];
  return {
    questions,
    async ask(question) {
      questions.push(question);
      return answerOf(said);
    },
  };
}
