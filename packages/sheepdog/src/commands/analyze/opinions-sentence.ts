import type { OpinionCounts } from "@sheepdog/records";
import { counted } from "../../render/terminal/amounts.ts";

/** How the questions for a second opinion were answered. */
export function opinionsSentence({ stuck, working, unsure, unanswered }: OpinionCounts): string {
  const asked = stuck + working + unsure + unanswered;
  if (asked === 0) return "Second opinions: no question.";
  const open = unanswered === 0 ? "" : `, ${unanswered} without an answer (the rules decide)`;
  return `Second opinions: ${counted(asked, "question")}; ${stuck} stuck, ${working} working, ${unsure} unsure${open}.`;
}
