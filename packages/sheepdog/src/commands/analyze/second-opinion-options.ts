import type { Policy, SecondOpinion } from "@sheepdog/guardian";
import { limitUnits } from "../../config/policy/limit-units.ts";

/** The options of `sheepdog analyze` about second opinions. */
export interface SecondOpinionOptions {
  readonly briefs?: string;
  readonly opinions?: string;
  readonly secondOpinion?: true;
  readonly askWhen?: Exclude<SecondOpinion, "off">;
  readonly saveOpinions?: string;
  readonly maxCost?: string;
  readonly yes?: true;
}

/** Whether questions are asked at all. Without these options the rules decide alone. */
export function usesSecondOpinion({ briefs, opinions, secondOpinion }: SecondOpinionOptions): boolean {
  return briefs !== undefined || opinions !== undefined || secondOpinion === true;
}

/** A sentence about options that do not fit together. */
export function findOptionProblem(options: SecondOpinionOptions): string | undefined {
  if (options.askWhen !== undefined && !usesSecondOpinion(options))
    return "--ask-when needs --briefs, --opinions or --second-opinion";
  const onlyWithModel = [
    options.saveOpinions === undefined ? [] : ["--save-opinions"],
    options.maxCost === undefined ? [] : ["--max-cost"],
    options.yes === undefined ? [] : ["--yes"],
  ].flat();
  if (onlyWithModel.length > 0 && options.secondOpinion !== true)
    return `${onlyWithModel.join(" and ")} can be used only with --second-opinion`;
  return undefined;
}

/** The policy with questions: as the option says, else as the policy says, else before a refusal. */
export function askingPolicy(policy: Policy, { askWhen }: SecondOpinionOptions): Policy {
  const configured = policy.secondOpinion === "off" ? "before-force" : policy.secondOpinion;
  return { ...policy, secondOpinion: askWhen ?? configured };
}

const DEFAULT_MAX_COST_NANO_USD = 500_000_000;

/** The most that all questions may cost; undefined for no limit. */
export type MaxCost =
  | { readonly ok: true; readonly nanoUsd: number | undefined }
  | { readonly ok: false; readonly problem: string };

/** Reads `--max-cost`. */
export function readMaxCost({ maxCost }: SecondOpinionOptions): MaxCost {
  if (maxCost === undefined) return { ok: true, nanoUsd: DEFAULT_MAX_COST_NANO_USD };
  if (maxCost === "off") return { ok: true, nanoUsd: undefined };
  const nanoUsd = limitUnits["run-cost"].read(maxCost.startsWith("$") ? maxCost : `$${maxCost}`);
  if (nanoUsd !== undefined && nanoUsd > 0) return { ok: true, nanoUsd };
  return { ok: false, problem: `--max-cost ${maxCost}: it must be dollars above 0, as in 0.50, or off for no limit` };
}
