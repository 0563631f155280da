import { untilAborted } from "../async/until-aborted.ts";
import type { CommandCheck, CustomCheck } from "../protocol/goal.ts";
import type { JudgeInput } from "./judge.ts";

/** A command that took longer is not run on turns with calls again. */
const MAX_MS_BETWEEN = 10_000;

/** How a check ended. */
interface CheckResult {
  /** Null: it was not run after the last change. */
  readonly isPassed: boolean | null;
  /** Why it did not pass. */
  readonly reason?: string;
  /** It was seen to fail in this run: that it passes now is the agent's work. */
  readonly hasFailed: boolean;
}

/**
 * Runs the commands and functions of a goal. It remembers their results during a run, and skips a
 * command when nothing has changed.
 */
export interface CheckRunner {
  run(check: CommandCheck | CustomCheck, input: JudgeInput): Promise<CheckResult>;
}

interface Remembered extends CheckResult {
  readonly turn: number;
  readonly ms: number;
}

/** Runs nothing: no check is due. */
export const noCheckRunner: CheckRunner = { run: async () => ({ isPassed: null, hasFailed: false }) };

export function createCheckRunner(): CheckRunner {
  const remembered = new Map<string, Remembered>();

  async function runAgain(
    check: CommandCheck | CustomCheck,
    input: JudgeInput,
    hasFailed: boolean,
  ): Promise<Remembered> {
    const { ms, reason } = check.type === "Command" ? await runCommand(check, input) : await runCustom(check, input);
    const isPassed = reason === undefined;
    const explained = reason === undefined ? {} : { reason };
    return { isPassed, hasFailed: hasFailed || !isPassed, turn: input.turn, ms, ...explained };
  }

  return {
    async run(check, input) {
      const key = keyOf(check);
      const last = remembered.get(key);
      if (last?.turn === input.turn) return last; // two criteria with the same check
      if (last !== undefined && check.type === "Command" && !input.isAnswer) {
        if (last.ms > MAX_MS_BETWEEN)
          return {
            isPassed: null,
            hasFailed: last.hasFailed,
            reason: "It takes long: it runs when the agent answers.",
          };
        if (!input.hasChanged) return last;
      }
      const result = await runAgain(check, input, last?.hasFailed ?? false);
      if (!input.signal.aborted) remembered.set(key, result); // a command that was ended says nothing
      return result;
    },
  };
}

function keyOf(check: CommandCheck | CustomCheck): string {
  const { type } = check;
  return JSON.stringify(type === "Command" ? [type, check.command, check.timeoutSecs] : [type, check.name]);
}

interface Run {
  readonly ms: number;
  /** Absent: it passed. */
  readonly reason?: string;
}

async function runCommand({ command, timeoutSecs }: CommandCheck, { runCommand: run }: JudgeInput): Promise<Run> {
  const { isOk, output, ms } = await run(command, timeoutSecs);
  return isOk ? { ms } : { ms, reason: output === "" ? "It failed without output." : output };
}

async function runCustom({ name }: CustomCheck, { checks, output, workspace, signal }: JudgeInput): Promise<Run> {
  try {
    const checking = Promise.resolve(checks[name]?.({ output, workspace, signal }));
    const result: unknown = await untilAborted(checking, signal);
    if (result === true) return { ms: 0 };
    return { ms: 0, reason: typeof result === "string" && result !== "" ? result : "It did not pass." };
  } catch (error) {
    return { ms: 0, reason: `It failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}
