import { tokensOf } from "../protocol/usage.ts";
import type { AgentRun } from "./agent-run.ts";
import type { JudgeSpending } from "./judge-budget.ts";

/** Tokens of a usual answer. */
const USUAL_OUTPUT_TOKENS = 400;

/** Measures what the judge of a run uses. */
export interface JudgeMeter {
  /** What was spent before a question with this input, and what it will usually use. */
  read(inputTokens: number): JudgeSpending;
  /** Makes a judgement and remembers what it used. */
  measure<Answer>(judge: () => Promise<Answer>): Promise<Answer>;
}

export function createJudgeMeter({ setup, spending }: Pick<AgentRun, "setup" | "spending">): JudgeMeter {
  /** What the dearest judgement of this process used: a model that thinks uses more than the usual answer. */
  const dearest = { nanoUsd: 0, tokens: 0 };

  const used = () => {
    const { costNanoUsd, usage } = spending.spentOn("judge");
    return { costNanoUsd, tokens: tokensOf(usage) };
  };

  return {
    read(inputTokens) {
      const size = { inputTokens, maxOutputTokens: USUAL_OUTPUT_TOKENS };
      const usualNanoUsd = spending.maxCost(setup.judgeModels[0]?.modelId ?? "", size);
      const { tree, usage, costNanoUsd } = spending;
      const judge = used();
      if (usualNanoUsd !== null && costNanoUsd !== null && judge.costNanoUsd !== null)
        return {
          usual: Math.max(usualNanoUsd, dearest.nanoUsd),
          run: costNanoUsd,
          judge: judge.costNanoUsd,
          tree: tree.spent.nanoUsd,
          judgeOfTree: tree.spentOn("judge").nanoUsd,
        };
      return {
        usual: Math.max(inputTokens + USUAL_OUTPUT_TOKENS, dearest.tokens),
        run: tokensOf(usage),
        judge: judge.tokens,
        tree: tree.spent.tokens,
        judgeOfTree: tree.spentOn("judge").tokens,
      };
    },
    async measure(judge) {
      const before = used();
      try {
        return await judge();
      } finally {
        const after = used();
        dearest.nanoUsd = Math.max(dearest.nanoUsd, (after.costNanoUsd ?? 0) - (before.costNanoUsd ?? 0));
        dearest.tokens = Math.max(dearest.tokens, after.tokens - before.tokens);
      }
    },
  };
}
