import { openQuestions } from "@sheepdog/records";
import type { OpinionModel } from "../../compose/opinion-model.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import type { AnsweredQuestions } from "./answered-questions.ts";

/** The guardian asks at most this often about one finding. */
const MAX_QUESTIONS_PER_FINDING = 3;

/** How many questions there are, and what the answers will usually cost. */
export interface Estimate {
  /** Questions without an answer so far. */
  readonly open: number;
  /** null if the price is unknown. */
  readonly nanoUsd: number | null;
}

/** Counts the questions without an answer. */
export async function estimateQuestions(
  { read, policy, opinions }: AnsweredQuestions,
  model: OpinionModel,
): Promise<Estimate> {
  let open = 0;
  let nanoUsd: number | null = 0;
  for await (const item of read()) {
    if (item.type !== "run") continue;
    for (const question of openQuestions(item.run, policy, ({ id }) => opinions.get(id))) {
      const cost = model.usualNanoUsd(question);
      open++;
      nanoUsd = nanoUsd === null || cost === null ? null : nanoUsd + cost;
    }
  }
  return { open, nanoUsd };
}

/** The number and the cost of the questions, for the user to decide. */
export function estimateSentence(
  { open, nanoUsd }: Estimate,
  { name }: OpinionModel,
  maxNanoUsd: number | undefined,
): string {
  if (open === 0) return "all questions have an answer; nothing is sent";
  const cost =
    nanoUsd === null
      ? "the price is not known"
      : `about ${dollars((MAX_QUESTIONS_PER_FINDING * nanoUsd) / 1e9)} in all`;
  const limit = maxNanoUsd === undefined ? "There is no limit" : `The limit is ${dollars(maxNanoUsd / 1e9)}`;
  const count = counted(open, "question");
  const most = `at most ${MAX_QUESTIONS_PER_FINDING * open} with those that follow from the answers`;
  return `${count} for ${name}, ${most}: ${cost}. ${limit} (--max-cost).`;
}
