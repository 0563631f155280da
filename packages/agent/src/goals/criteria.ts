import type { Criterion } from "../protocol/goal.ts";
import { criterionText } from "../protocol/goal-text.ts";
import type { CheckRunner } from "./check-runner.ts";
import type { JudgeInput } from "./judge.ts";

/** A criterion, evaluated. */
export interface CriterionResult {
  readonly text: string;
  readonly weight: number;
  /** The model decides. */
  readonly isForModel: boolean;
  /** Null: not decided yet. */
  readonly isMet: boolean | null;
  readonly reason?: string;
  /** Whether it counts before the agent answers: a check that passed from the start says nothing about the work. */
  readonly countsEarly: boolean;
}

/** Evaluates a criterion as far as it needs no model. */
export async function evaluateCriterion(
  criterion: Criterion,
  input: JudgeInput,
  checks: CheckRunner,
): Promise<CriterionResult> {
  const result = {
    text: criterionText(criterion),
    weight: criterion.weight ?? 1,
    isForModel: false,
    countsEarly: true,
  };
  switch (criterion.type) {
    case "OutputContains":
      return { ...result, isMet: containsText(input.output, criterion) };
    case "OutputEquals":
      return { ...result, isMet: input.output.trim() === criterion.text.trim() };
    case "Command":
    case "Custom": {
      const { isPassed, hasFailed, reason } = await checks.run(criterion, input);
      return { ...result, isMet: isPassed, countsEarly: hasFailed, ...(reason === undefined ? {} : { reason }) };
    }
    case "LlmJudge":
      return { ...result, isForModel: true, isMet: null };
    default:
      return criterion satisfies never;
  }
}

/** Whether an output contains a text. */
export function containsText(
  output: string,
  { text, ignoreCase = false }: { readonly text: string; readonly ignoreCase?: boolean },
): boolean {
  return ignoreCase ? output.toLowerCase().includes(text.toLowerCase()) : output.includes(text);
}
