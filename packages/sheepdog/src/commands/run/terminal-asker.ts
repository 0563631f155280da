import type { Ask, RuntimeOptions } from "@sheepdog/agent";
import type { Io } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { frankLines } from "../../render/terminal/visible-lines.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import type { Progress } from "./progress.ts";
import { typedLines } from "./typed-lines.ts";

type Approve = NonNullable<RuntimeOptions["approve"]>;

/** Asks the person at the terminal. */
export interface Asker {
  readonly approve: Approve;
  readonly ask: Ask;
  /** Answers the open question with a no, as Ctrl-C does. False where none is open. */
  decline(): boolean;
  close(): void;
}

const MOST_LINES = 40;

/** Questions on stderr, answers from stdin, one at a time, and none before everything else is shown. */
export function terminalAsker(io: Io, progress: Progress, caughtUp: () => Promise<void>): Asker {
  const style = styleFor(io.stderr, io.env);
  const lines = typedLines(io.stdin);
  const always = new Set<string>();
  let declined: AbortController | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One question after the other. */
  function inTurn<T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const asked = last.then(async () => {
      declined = new AbortController();
      try {
        await Promise.all([caughtUp(), lines.forget()]);
        return await ask(AbortSignal.any([signal, declined.signal]));
      } finally {
        declined = undefined;
      }
    });
    last = asked.catch(() => undefined);
    return asked;
  }

  const say = async (texts: readonly string[]) => {
    for (const text of texts) await progress.line(text);
  };
  const read = async (words: string, signal: AbortSignal): Promise<string | undefined> => {
    await progress.line(style.bold(words));
    const line = await lines.next(signal);
    if (line === undefined) await progress.line(""); // ^C stands there
    return line === undefined ? undefined : plainText(line);
  };

  const approve: Approve = (call, reason, signal) => {
    const key = JSON.stringify([call.tool, call.input]);
    return inTurn(async (answered) => {
      if (always.has(key)) return { isAllowed: true };
      const width = columnsOf(io.stderr, io.env);
      await say([style.yellow(`  ${call.tool} wants to run:`), ...shown(call.input).map((line) => `    ${line}`)]);
      await say(plainLines(plainText(reason), width - 2).map((line) => style.dim(`  ${line}`)));
      for (;;) {
        const answer = await read("  Allow it? (y)es once, (a)lways exactly this, (n)o and why:", answered);
        if (answer === undefined) return { isAllowed: false, reason: "the person said no" };
        const [, word = "", why = ""] = /^(\S*)\s*(.*)$/.exec(answer) ?? [];
        if (/^(?:a|always)$/i.test(word)) always.add(key);
        if (/^(?:y|yes|a|always)$/i.test(word)) return { isAllowed: true };
        if (/^(?:n|no)[,:]?$/i.test(word))
          return { isAllowed: false, reason: why === "" ? "the person said no" : `the person said no: ${why}` };
      }
    }, signal);
  };

  const ask: Ask = ({ text, choices }, signal) =>
    inTurn(async (answered) => {
      const width = columnsOf(io.stderr, io.env);
      await say(plainLines(text, width - 2).map((line) => style.yellow(`  ${line}`)));
      await say(choices.map((choice, place) => `    ${place + 1}  ${plainText(choice)}`));
      const answer = await read(
        `  Your answer${choices.length === 0 ? "" : " (a number, or your own words)"}, Enter for none:`,
        answered,
      );
      if (answer === undefined || answer === "") return undefined;
      return (/^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined) ?? answer;
    }, signal);

  return {
    approve,
    ask,
    decline() {
      if (declined === undefined) return false;
      declined.abort();
      return true;
    },
    close: lines.close,
  };
}

/** The real arguments, nothing of them disguised; what is very long is cut and says so. */
function shown(input: unknown): readonly string[] {
  const entries = typeof input === "object" && input !== null ? Object.entries(input) : [["input", input] as const];
  const [only] = entries;
  const all =
    only !== undefined && entries.length === 1
      ? frankLines(textOf(only[1]))
      : entries.flatMap(([name, value]) => {
          const [first = "", ...rest] = frankLines(textOf(value));
          return [`${plainText(name)}: ${first}`, ...rest.map((line) => `  ${line}`)];
        });
  return all.length <= MOST_LINES ? all : [...all.slice(0, MOST_LINES), `… and ${all.length - MOST_LINES} more lines`];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
