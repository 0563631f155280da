import type { Ask, AskAboutRun, RunAnswer, RuntimeOptions } from "@sheepdog/agent";
import type { Io } from "../../io.ts";
import type { DiffLine } from "../../render/diff/diff-line.ts";
import { diffText, paintOf } from "../../render/diff/diff-paint.ts";
import { proposedDiff } from "../../render/diff/proposed-diff.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { visibleLines } from "../../render/terminal/visible-lines.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { continueChoice, questionStatus } from "../../render/timeline/run-question.ts";
import type { Progress } from "./progress.ts";
import { createTypedLines } from "./typed-lines.ts";

type Approve = NonNullable<RuntimeOptions["approve"]>;

/** Asks the user at the terminal. */
export interface TerminalAsker {
  readonly approve: Approve;
  readonly ask: Ask;
  readonly askAboutRun: AskAboutRun;
  /** Answers the open question with no or stop, as Ctrl-C does. Returns false when no question is open. */
  decline(): boolean;
  close(): void;
}

/** The user scrolls back in the terminal: what is approved is shown whole unless it is enormous. */
const MAX_LINES = 400;
/** Columns. Below this width, a question is shorter. */
const NARROW = 66;

/** Asks on stderr and reads answers from stdin, one question at a time. Each waits until all events are shown. */
export function createTerminalAsker(io: Io, progress: Progress, caughtUp: () => Promise<void>): TerminalAsker {
  const style = styleFor(io.stderr, io.env);
  const lines = createTypedLines(io.stdin);
  const alwaysAllowed = new Set<string>();
  let openQuestion: AbortController | undefined;
  let lastQuestion: Promise<unknown> = Promise.resolve();

  /** Runs `ask` after the questions before it. */
  function inTurn<T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const answered = lastQuestion.then(async () => {
      openQuestion = new AbortController();
      const resumeStatus = progress.pauseStatus();
      try {
        await Promise.all([caughtUp(), lines.discardTyped()]);
        return await ask(AbortSignal.any([signal, openQuestion.signal]));
      } finally {
        resumeStatus();
        openQuestion = undefined;
      }
    });
    lastQuestion = answered.catch(() => undefined);
    return answered;
  }

  const print = async (texts: readonly string[]) => {
    for (const text of texts) await progress.line(text);
  };
  const readLine = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
    await progress.line(style.bold(question));
    const line = await lines.next(signal);
    if (line === undefined) await progress.line(""); // the terminal has echoed ^C
    return line === undefined ? undefined : plainText(line);
  };

  /** The change to a file, or the arguments of any other call. */
  const callLines = async (call: Parameters<Approve>[0]): Promise<readonly string[]> => {
    const proposed = await proposedDiff(call, io.cwd);
    if (proposed === undefined) return inputLines(call.input).map((line) => `    ${line}`);
    const width = columnsOf(io.stderr, io.env) - 4;
    const title = visibleLines(`${call.input?.["path"]} (${proposed.state})`).join("\\n");
    const changed = proposed.lines.flatMap((line) => signedRows(line, width).map(paintOf(line, style)));
    return [title, ...shortened(changed)].map((line) => `    ${line}`);
  };

  const approve: Approve = (call, reason, signal) => {
    const key = JSON.stringify([call.tool, call.input]);
    return inTurn(async (questionSignal) => {
      if (alwaysAllowed.has(key)) return { isAllowed: true };
      const width = columnsOf(io.stderr, io.env);
      await print([style.yellow(`  ${call.tool} wants to run:`), ...(await callLines(call))]);
      await print(plainLines(plainText(reason), width - 2).map((line) => style.dim(`  ${line}`)));
      for (;;) {
        const question =
          width < NARROW
            ? "  Allow? (y)es, (a)lways, (n)o and why:"
            : "  Allow it? (y)es once, (a)lways this exact call, (n)o and why:";
        const answer = await readLine(question, questionSignal);
        if (answer === undefined) return { isAllowed: false, reason: "the user said no" };
        const [, word = "", why = ""] = /^(\S*)\s*(.*)$/.exec(answer) ?? [];
        if (/^(?:a|always)$/i.test(word)) alwaysAllowed.add(key);
        if (/^(?:y|yes|a|always)$/i.test(word)) return { isAllowed: true };
        if (/^(?:n|no)[,:]?$/i.test(word))
          return { isAllowed: false, reason: why === "" ? "the user said no" : `the user said no: ${why}` };
      }
    }, signal);
  };

  const ask: Ask = ({ text, choices }, signal) =>
    inTurn(async (questionSignal) => {
      const width = columnsOf(io.stderr, io.env);
      await print(plainLines(text, width - 2).map((line) => style.yellow(`  ${line}`)));
      await print(choices.map((choice, index) => `    ${index + 1}  ${plainText(choice)}`));
      const answer = await readLine(
        `  Your answer${choices.length === 0 ? "" : " (a number, or your own words)"}, Enter for none:`,
        questionSignal,
      );
      if (answer === undefined || answer === "") return undefined;
      return (/^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined) ?? answer;
    }, signal);

  const askAboutRun: AskAboutRun = (question, signal) =>
    inTurn(async (questionSignal) => {
      const width = columnsOf(io.stderr, io.env) - 2;
      if (question.problem !== undefined)
        await print(plainLines(plainText(question.problem), width).map((line) => style.yellow(`  ${line}`)));
      else if (!progress.isShown)
        // otherwise the intervention is shown above
        await print(plainLines(plainText(question.text), width).map((line) => style.yellow(`  ${line}`)));
      await print(plainLines(questionStatus(question), width).map((line) => style.dim(`  ${line}`)));
      const choices = plainLines(`(s)top, (c)${continueChoice(question).slice(1)}, (t)ell the agent something:`, width);
      for (;;) {
        const line = await readLine(choices.map((choice) => `  ${choice}`).join("\n"), questionSignal);
        if (line === undefined) return isDeclined(signal, questionSignal) ? { type: "stop" } : undefined;
        const answer = readRunAnswer(line) ?? (await readMessage(line, questionSignal));
        if (answer !== undefined) return answer;
      }
    }, signal);

  /** Asks for the message after "t"; undefined if there is none, or the line is no answer at all. */
  const readMessage = async (line: string, signal: AbortSignal): Promise<RunAnswer | undefined> => {
    if (!/^(?:t|tell)$/i.test(line)) return undefined;
    const text = await readLine("  Your message, Enter for none:", signal);
    return text === undefined || text === "" ? undefined : { type: "tell", text };
  };

  return {
    approve,
    ask,
    askAboutRun,
    decline() {
      if (openQuestion === undefined) return false;
      openQuestion.abort();
      return true;
    },
    close: lines.close,
  };
}

/** The answer in a typed line; undefined if there is none, or the message of "t" is still missing. */
function readRunAnswer(line: string): RunAnswer | undefined {
  if (/^(?:s|stop)$/i.test(line)) return { type: "stop" };
  if (/^(?:c|continue)$/i.test(line)) return { type: "continue" };
  const [, text] = /^(?:t|tell)[\s,:]+(.+)$/i.exec(line) ?? [];
  return text === undefined ? undefined : { type: "tell", text };
}

/** Ctrl-C ends the question, but neither the run nor its waiting time. */
function isDeclined(signal: AbortSignal, questionSignal: AbortSignal): boolean {
  return questionSignal.aborted && !signal.aborted;
}

/** The arguments of a call with nothing hidden. Long arguments are cut, and the last line says so. */
function inputLines(input: unknown): readonly string[] {
  const entries = typeof input === "object" && input !== null ? Object.entries(input) : [["input", input] as const];
  const [only] = entries;
  const lines =
    only !== undefined && entries.length === 1
      ? visibleLines(valueText(only[1]))
      : entries.flatMap(([name, value]) => {
          const [first = "", ...rest] = visibleLines(valueText(value));
          return [`${plainText(name)}: ${first}`, ...rest.map((line) => `  ${line}`)];
        });
  return shortened(lines);
}

/** A line of a diff, wrapped. Every row has the sign of the line. */
function signedRows(line: DiffLine, width: number): readonly string[] {
  if (line.sign === "…" || line.text === "") return [diffText(line)];
  return plainLines(line.text, width - 1).map((row) => `${line.sign}${row}`);
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more lines`];
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
