import { opinionBrief } from "@sheepdog/guardian/opinion";
import { judgeSystem } from "../goals/judge-question.ts";
import type { ScriptedRequest, ScriptedTurn } from "./script.ts";

/** The questions that a run asks beside its turns. */
export type QuestionType = "opinion" | "judge";

/** The system texts of the questions, as they stand in the JSON of a request. */
const systems: Readonly<Record<QuestionType, string>> = {
  opinion: JSON.stringify(opinionBrief({ task: "", calls: [], request: { fact: "", call: -1 } }).system),
  judge: JSON.stringify(judgeSystem),
};

/** The answers where no other ones are scripted. */
export const usualAnswers: Readonly<Record<QuestionType, ScriptedTurn>> = {
  opinion: { text: '{"verdict":"unsure"}' },
  judge: { text: '{"verdict":"accept"}' },
};

/** What tells whether a request takes a turn of a script. */
interface Received {
  /** The requests that took turns. */
  readonly requests: readonly ScriptedRequest[];
  /** The questions whose answers are scripted apart. */
  readonly scripted: Readonly<Partial<Record<QuestionType, unknown>>>;
}

/**
 * The question that a request asks; undefined if it takes a turn of the script. A question takes a turn as well if the
 * model has been asked nothing else so far: then its script has the answers.
 */
export function questionOf(text: string, { requests, scripted }: Received): QuestionType | undefined {
  const type = typeOf(text);
  if (type === undefined || scripted[type] !== undefined) return type;
  return requests.every((earlier) => typeOf(earlier.text) === type) ? undefined : type;
}

function typeOf(text: string): QuestionType | undefined {
  if (text.includes(systems.judge)) return "judge";
  return text.includes(systems.opinion) ? "opinion" : undefined;
}
