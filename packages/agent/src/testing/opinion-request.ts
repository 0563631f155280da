import { opinionBrief } from "@sheepdog/guardian/opinion";
import type { ScriptedRequest, ScriptedTurn } from "./script.ts";

/** The system text of every question, as it stands in the JSON of a request. */
const system = JSON.stringify(opinionBrief({ task: "", calls: [], request: { fact: "", call: -1 } }).system);

/** Whether a request asks for a second opinion. Such requests take no turn of a script. */
export function isOpinionRequest({ text }: Pick<ScriptedRequest, "text">): boolean {
  return text.includes(system);
}

/** The answer of a scripted model without one of its own. */
export const unsureOpinion: ScriptedTurn = { text: '{"verdict":"unsure"}' };
