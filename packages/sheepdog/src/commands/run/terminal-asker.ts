import type { Ask, AskAboutRun, RunAnswer, RunQuestion, RuntimeOptions } from "@sheepdog/agent";
import type { PermissionRules } from "../../compose/permission-rules.ts";
import { callKey } from "../../control/index.ts";
import { refusal } from "../../control/refusal.ts";
import type { Io } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { questionStatus } from "../../render/timeline/run-question.ts";
import { approvalQuestion, readApprovalAnswer } from "./approval-answer.ts";
import { callLines } from "./call-lines.ts";
import { offerRule } from "./offer-rule.ts";
import type { Progress } from "./progress.ts";
import { readRunAnswer, runAnswerProblem, runAnswerQuestion } from "./run-answer.ts";
import { createTypedLines } from "./typed-lines.ts";

type Approve = NonNullable<RuntimeOptions["approve"]>;

/** Asks the user at the terminal. */
export interface TerminalAsker {
  readonly approve: Approve;
  readonly ask: Ask;
  readonly askAboutRun: AskAboutRun;
  readonly alwaysAllowed: Set<string>;
  /**
   * Ctrl-C. Answers an open question about the run with stop, and returns true. Any other question ends when the run is
   * cancelled.
   */
  interrupt(): boolean;
  close(): void;
}

export interface TerminalAskerOptions {
  /** Resolves when all events are shown. */
  readonly caughtUp: () => Promise<void>;
  /** To which the user can add a rule. */
  readonly rules: PermissionRules;
}

/** Asks on stderr and reads answers from stdin, one question at a time. Each waits until all events are shown. */
export function createTerminalAsker(
  io: Io,
  progress: Progress,
  { caughtUp, rules }: TerminalAskerOptions,
): TerminalAsker {
  const style = styleFor(io.stderr, io.env);
  const lines = createTypedLines(io.stdin);
  const alwaysAllowed = new Set<string>();
  let openRunQuestion: AbortController | undefined;
  let isTyping = false; // the cursor may stand behind typed characters
  let lastQuestion: Promise<unknown> = Promise.resolve();

  /** Runs `ask` after the questions before it. */
  function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answered = lastQuestion.then(async () => {
      const resumeStatus = progress.pauseStatus();
      try {
        await Promise.all([caughtUp(), lines.discardTyped()]);
        return await ask();
      } finally {
        resumeStatus();
      }
    });
    lastQuestion = answered.catch(() => undefined);
    return answered;
  }

  const columns = () => columnsOf(io.stderr, io.env);
  /** A text as lines that fit. The first starts with `head`, the others are indented by the same width. */
  const rows = (text: string, head = "  ") =>
    plainLines(text, columns() - head.length).map((row, index) => (index === 0 ? head : " ".repeat(head.length)) + row);
  const print = async (texts: readonly string[]) => {
    for (const text of texts) await progress.line(text);
  };
  const endTyping = async () => {
    if (!isTyping) return;
    isTyping = false;
    await progress.line("");
  };
  const readLine = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
    const typed = lines.next(signal); // before the question is visible, so that no answer is missed
    await print(rows(question).map(style.bold));
    isTyping = true;
    const line = await typed;
    if (line === undefined) await endTyping();
    isTyping = false;
    return line === undefined ? undefined : plainText(line);
  };

  const approve: Approve = (call, reason, signal, rule) => {
    const key = callKey(call);
    return inTurn(async () => {
      if (signal.aborted) return { isAllowed: false, isUnanswered: true, ...refusal() };
      if (alwaysAllowed.has(key)) return { isAllowed: true };
      const width = columns();
      const describe = () => callLines(call, { style, width: width - 4, workspace: io.cwd });
      const show = async (title: string, description: readonly string[]) =>
        print([style.yellow(`  ${title}`), ...description.map((line) => `    ${line}`)]);
      let shown = await describe();
      await show(`May the agent run this? ${call.tool}`, shown);
      await print(rows(plainText(reason)).map(style.dim));
      const firstQuestion = approvalQuestion(width, rule !== undefined);
      let question = firstQuestion;
      for (;;) {
        const line = await readLine(question, signal);
        if (line === undefined) return { isAllowed: false, isUnanswered: true, ...refusal() };
        const answer = readApprovalAnswer(line, rule !== undefined);
        if (answer.type === "refuse") return { isAllowed: false, ...refusal(answer.why) };
        if (answer.type === "unclear") {
          question = answer.problem;
          await lines.discardTyped(); // the rest of a pasted answer
          continue;
        }
        if (answer.type === "rule" && rule !== undefined) {
          const dialog = {
            print: (text: string) => print(rows(plainText(text)).map(style.dim)),
            readLine: (text: string) => readLine(text, signal),
          };
          if (await offerRule(rule, rules, dialog)) return { isAllowed: true };
          question = firstQuestion;
          continue;
        }
        const description = await describe();
        if (description.join("\n") === shown.join("\n")) {
          if (answer.type === "allow" && answer.isAlways) alwaysAllowed.add(key);
          return { isAllowed: true };
        }
        shown = description;
        await show("The file has changed meanwhile. What the call would do now:", shown);
        question = firstQuestion;
      }
    });
  };

  const ask: Ask = ({ text, choices }, signal) =>
    inTurn(async () => {
      if (signal.aborted) return undefined;
      await print(rows(text).map(style.yellow));
      await print(choices.flatMap((choice, index) => rows(plainText(choice), `    ${index + 1}  `)));
      const answer = await readLine(
        `Your answer${choices.length === 0 ? "" : " (a number, or your own words)"}, Enter for none:`,
        signal,
      );
      if (answer === undefined || answer === "") return undefined;
      return (/^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined) ?? answer;
    });

  const askAboutRun: AskAboutRun = (question, signal) =>
    inTurn(async () => {
      if (signal.aborted) return undefined;
      const declined = new AbortController();
      openRunQuestion = declined;
      try {
        const { problem, text } = question;
        // If progress is shown, the intervention above has the same text.
        if (problem !== undefined || !progress.isShown) await print(rows(plainText(problem ?? text)).map(style.yellow));
        await print(rows(questionStatus(question)).map(style.dim));
        const answer = await readAnswerAboutRun(question, AbortSignal.any([signal, declined.signal]));
        return answer ?? (declined.signal.aborted ? { type: "stop" } : undefined);
      } finally {
        openRunQuestion = undefined;
      }
    });

  /** Asks until there is an answer; undefined if the question ends without one. */
  const readAnswerAboutRun = async (asked: RunQuestion, signal: AbortSignal): Promise<RunAnswer | undefined> => {
    let question = runAnswerQuestion(asked);
    for (;;) {
      const line = await readLine(question, signal);
      if (line === undefined) return undefined;
      const answer = readRunAnswer(line);
      if (answer !== undefined && answer !== "ask-message") return answer;
      const text = answer === undefined ? undefined : await readLine("Your message, Enter for none:", signal);
      if (text !== undefined && text !== "") return { type: "tell", text };
      question = answer === undefined ? runAnswerProblem(line) : runAnswerQuestion(asked);
    }
  };

  return {
    alwaysAllowed,
    approve,
    ask,
    askAboutRun,
    interrupt() {
      void endTyping(); // the terminal has echoed ^C
      openRunQuestion?.abort();
      return openRunQuestion !== undefined;
    },
    close: lines.close,
  };
}
