import type { Goal } from "../protocol/goal.ts";
import { missingCheck } from "./check-goal.ts";
import { createCheckRunner, noCheckRunner } from "./check-runner.ts";
import { evaluateConstraint, type RuleMemory } from "./constraint-rules.ts";
import { evaluateCriterion } from "./criteria.ts";
import { createFileRules } from "./file-rules.ts";
import type { Judge, JudgeInput, Judgement } from "./judge.ts";
import { missingParts } from "./missing-parts.ts";
import { judgeByModel } from "./model-judgement.ts";
import { isReachable, isReached, type Results, toEvaluation } from "./score.ts";

/**
 * Creates the judge of one run. Rules decide at every turn what they can decide; the model is asked where they cannot,
 * about an answer and every few turns. What it remembers may be lost: then checks run once more.
 */
export function createGoalJudge(): Judge {
  const memory: RuleMemory = { checks: createCheckRunner(), files: createFileRules() };
  return {
    async evaluate(input) {
      const { goal } = input;
      const missing = missingCheck(goal, input.checks);
      if (missing !== undefined) return { type: "escalate", reason: missing };
      const isDue = input.isModelDue || !needsModel(goal); // without the model, checks decide nothing
      const results = await applyRules(input, isDue ? memory : { ...memory, checks: noCheckRunner });
      const judgement = escalation(results) ?? (await judge(input, results));
      return { evaluation: toEvaluation(goal, results, judgement.type === "accept"), ...judgement };
    },
  };
}

/** Whether rules alone cannot decide about this goal. */
function needsModel({ criteria = [], constraints = [] }: Goal): boolean {
  if (criteria.length === 0 || criteria.some(({ type }) => type === "LlmJudge")) return true;
  return constraints.some(({ rule }) => rule === undefined);
}

async function judge(input: JudgeInput, results: Results): Promise<Judgement> {
  if (!needsModel(input.goal)) return judgeByRules(input, results);
  if (!input.isModelDue) return { type: "continue" };
  if (input.isAnswer && !isReachable(input.goal, results)) return retry(input.goal, results);
  return judgeByModel(input, results);
}

/** One after the other: commands may use the same files. */
async function applyRules(input: JudgeInput, memory: RuleMemory): Promise<Results> {
  const { criteria = [], constraints = [] } = input.goal;
  const results = { criteria: [], constraints: [] } as { -readonly [Key in keyof Results]: Results[Key][number][] };
  for (const criterion of criteria) results.criteria.push(await evaluateCriterion(criterion, input, memory.checks));
  for (const constraint of constraints) results.constraints.push(await evaluateConstraint(constraint, input, memory));
  return results;
}

/** A violation that cannot be undone ends the run, and so does a limit that cannot be checked. */
function escalation({ constraints }: Results): Judgement | undefined {
  const broken = constraints.find(({ level, isFinal, isRespected }) => level === "must" && isFinal && !isRespected);
  if (broken === undefined) return undefined;
  const what = broken.isRespected === null ? "cannot be checked" : "is violated";
  return { type: "escalate", reason: `A constraint ${what}: ${broken.text} (${broken.reason})` };
}

function judgeByRules({ goal, isAnswer }: JudgeInput, results: Results): Judgement {
  const isAccepted = isReached(goal, results);
  if (isAnswer) return isAccepted ? { type: "accept" } : retry(goal, results);
  const isEarned = results.criteria.every(({ isMet, countsEarly }) => isMet !== true || countsEarly);
  return isAccepted && isEarned ? { type: "accept" } : { type: "continue" };
}

function retry(goal: Goal, results: Results): Judgement {
  return { type: "retry", hint: ["Still missing:", ...missingParts(goal, results)].join("\n") };
}
