import type { JudgeAnswer, JudgeInput, Judgement } from "./judge.ts";
import { judgeQuestion, verdictSchema } from "./judge-question.ts";
import { missingParts } from "./missing-parts.ts";
import { type Decision, type ModelVerdict, readVerdict } from "./read-verdict.ts";
import { isReached, type Results, toEvaluation } from "./score.ts";

/** Asks the model about a turn. After an answer that cannot be read, the run continues, and the problem is reported. */
export async function judgeByModel(input: JudgeInput, results: Results): Promise<Judgement> {
  const answer = await input.ask({
    ...judgeQuestion(input, results),
    schema: verdictSchema,
    isReadable: (text) => readVerdict(text, input.redact) !== undefined,
  });
  if (answer.type === "refused") return notJudged(input, answer.reason);
  if (answer.type === "failed") return failed(input, answer);
  const { model, costNanoUsd } = answer;
  if (answer.type === "unreadable") return { type: "continue", problem: answer.problem, model, costNanoUsd };
  const verdict = readVerdict(answer.text, input.redact);
  if (verdict === undefined) return { type: "continue", problem: noVerdict, model, costNanoUsd };
  return { ...toJudgement(input, withDecisions(results, verdict)), model, costNanoUsd };
}

const noVerdict = "The judge's answer has no verdict.";

function failed(
  input: JudgeInput,
  { problem, model, costNanoUsd }: Extract<JudgeAnswer, { readonly type: "failed" }>,
): Judgement {
  if (model === undefined) return { type: "continue", problem, costNanoUsd };
  return { ...notJudged(input, problem), model, costNanoUsd };
}

/** Without a judgement of an answer, the user decides. */
function notJudged({ isAnswer }: JudgeInput, reason: string): Judgement {
  if (!isAnswer) return { type: "continue", problem: reason };
  return { type: "escalate", reason: `The answer was not judged: ${reason}` };
}

interface Decided {
  readonly said: ModelVerdict;
  readonly results: Results;
}

/** The results with the decisions of the model. Its accept counts as yes for everything that it does not mention. */
function withDecisions({ criteria, constraints }: Results, said: ModelVerdict): Decided {
  const isImplied = said.verdict === "accept" ? true : null;
  const decide = (decision: Decision | undefined) => ({
    isOk: decision?.isOk ?? isImplied,
    ...(decision === undefined || decision.reason === "" ? {} : { reason: decision.reason }),
  });
  return {
    said,
    results: {
      criteria: criteria.map((criterion, index) => {
        if (!criterion.isForModel) return criterion;
        const { isOk: isMet, ...reason } = decide(said.criteria.get(index + 1));
        return { ...criterion, isMet, ...reason };
      }),
      constraints: constraints.map((constraint, index) => {
        if (!constraint.isForModel) return constraint;
        const { isOk: isRespected, ...reason } = decide(said.constraints.get(index + 1));
        return { ...constraint, isRespected, ...reason };
      }),
    },
  };
}

function toJudgement({ goal, isAnswer }: JudgeInput, { said, results }: Decided): Judgement {
  const evaluation = toEvaluation(goal, results, said.verdict === "accept");
  const missing = missingParts(goal, results);
  switch (said.verdict) {
    case "accept":
      if (isReached(goal, results)) return { type: "accept", evaluation };
      // The model contradicts itself, or a check did not run after the last change.
      return isAnswer ? { type: "retry", hint: hintOf(said, missing), evaluation } : { type: "continue", evaluation };
    case "retry":
      return { type: "retry", hint: hintOf(said, missing), evaluation };
    case "escalate":
      return { type: "escalate", reason: said.reason || said.hint || "The judge gave no reason.", evaluation };
    case "continue":
      return { type: "continue", evaluation };
    default:
      return said.verdict satisfies never;
  }
}

function hintOf({ hint, reason }: ModelVerdict, missing: readonly string[]): string {
  const advice = hint || reason;
  const list = missing.length === 0 ? [] : ["Still missing:", ...missing];
  return [...(advice === "" ? [] : [advice]), ...list].join("\n") || "The judge did not say what is missing.";
}
