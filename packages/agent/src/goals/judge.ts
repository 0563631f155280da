import type { Goal, GoalEvaluation, Verdict } from "../protocol/goal.ts";
import type { Message } from "../protocol/messages.ts";
import type { ResponseSchema } from "../protocol/response-schema.ts";
import type { Check } from "./check.ts";

/** Compares a run with its goal at the end of each turn. One that throws escalates the goal to the user. */
export interface Judge {
  evaluate(input: JudgeInput): Promise<Judgement>;
}

/** A verdict, and how it came about. */
export type Judgement = Verdict & {
  readonly evaluation?: GoalEvaluation;
  /** The model that judged; absent when rules decided. */
  readonly model?: string;
  readonly costNanoUsd?: number | null;
  /** Why the model gave no verdict, or was not asked. */
  readonly problem?: string;
};

/** What a judge evaluates, and the means to do so. */
export interface JudgeInput {
  readonly goal: Goal;
  /** The text of the newest reply. */
  readonly output: string;
  /** The reply makes no calls: the agent considers itself done. */
  readonly isAnswer: boolean;
  /** The messages of the session, oldest first. Those before `startedAt` belong to earlier runs. */
  readonly messages: readonly Message[];
  /** Aborted when the run ends or is about to ask the user. */
  readonly signal: AbortSignal;
  /** The prompt that started the run. */
  readonly prompt: string;
  readonly startedAt: number;
  /** The number of finished turns of this run, this one included. */
  readonly turn: number;
  /** How long the run has worked, without waits for the user. */
  readonly elapsedMs: number;
  /** The cost of the run and its subagents; null when a price is unknown. */
  readonly costNanoUsd: number | null;
  /** The absolute path of the folder where tools work. */
  readonly workspace: string;
  /** The functions that criteria and rules of type `Custom` name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** The model is asked about this turn: it is an answer, or the setting `judgeEveryTurns` says so. */
  readonly isModelDue: boolean;
  /** A call of this turn may have changed something: it succeeded, and does more than read. */
  readonly hasChanged: boolean;
  /** The tools that calls of this run used, each once. A refused call has used none. */
  usedTools(): readonly string[];
  /**
   * The files that calls of this run wrote, as far as they are known: relative to the workspace, absolute outside. The
   * list of a later turn begins with that of an earlier one.
   */
  writtenFiles(): readonly string[];
  /** Removes secrets from a text. */
  redact(text: string): string;
  /** Runs a shell command in the workspace as the tool `bash` does. Default time: the runtime's limit for tools. */
  runCommand(command: string, timeoutSecs?: number): Promise<CommandResult>;
  /** Asks the model that judges. */
  ask(question: JudgeQuestion): Promise<JudgeAnswer>;
}

/** How a command of a judge ended. */
export interface CommandResult {
  readonly isOk: boolean;
  /** The last lines of its output, without secrets; they end with why it failed. */
  readonly output: string;
  readonly ms: number;
}

/** A question to the model that judges. */
export interface JudgeQuestion {
  readonly system: string;
  readonly prompt: string;
  /** The form of the answer. */
  readonly schema?: ResponseSchema;
  /** An answer that cannot be read is asked for once more, without the schema; default: every answer can be read. */
  isReadable?(answer: string): boolean;
}

/**
 * `refused`: the model was not asked. `failed`: it gave no answer, and neither did a fallback. `unreadable`: its answer
 * cannot be read.
 */
export type JudgeAnswer =
  | {
      readonly type: "answered";
      readonly text: string;
      readonly model: string;
      readonly costNanoUsd: number | null;
    }
  | { readonly type: "refused"; readonly reason: string }
  | {
      readonly type: "failed";
      readonly problem: string;
      /** Absent: no request was sent, as the run has to end. */
      readonly model?: string;
      readonly costNanoUsd: number | null;
    }
  | {
      readonly type: "unreadable";
      readonly problem: string;
      readonly model: string;
      readonly costNanoUsd: number | null;
    };
