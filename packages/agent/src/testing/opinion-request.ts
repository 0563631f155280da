import { opinionBrief } from "@sheepdog/guardian/opinion";
import type { ScriptedRequest, ScriptedTurn } from "./script.ts";

/** The system text of every question, as it stands in the JSON of a request. */
const system = JSON.stringify(opinionBrief({ task: "", calls: [], request: { fact: "", call: -1 } }).system);

/** What tells whether a request takes a turn of a script. */
interface Received {
  /** The requests that took turns. */
  readonly requests: readonly ScriptedRequest[];
  /** Whether the answers to questions for a second opinion are scripted apart. */
  readonly hasOpinion: boolean;
}

/**
 * Whether a request takes a turn of the script. A question for a second opinion takes none, unless the model has been
 * asked nothing else so far: then its script has the answers.
 */
export function takesTurn(text: string, { requests, hasOpinion }: Received): boolean {
  return !isOpinionRequest(text) || (!hasOpinion && requests.every((earlier) => isOpinionRequest(earlier.text)));
}

function isOpinionRequest(text: string): boolean {
  return text.includes(system);
}

/** The answer where no other one is scripted. */
export const unsureOpinion: ScriptedTurn = { text: '{"verdict":"unsure"}' };
