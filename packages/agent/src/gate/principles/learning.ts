import { findings, type JudgePrinciple } from "./principle-input.ts";

const { fine, caution, against } = findings("learning");

/** From this confidence on, a lesson speaks against a call. */
const SURE = 0.8;

/** Has something gone wrong with such a call before? */
export const learning: JudgePrinciple = ({ context: { lessons = [] } }) => {
  const [surest] = lessons.toSorted((one, other) => other.confidence - one.confidence);
  if (surest === undefined) return fine("No lesson is about such a call.");
  return surest.confidence >= SURE ? against(surest.rule) : caution(surest.rule);
};
