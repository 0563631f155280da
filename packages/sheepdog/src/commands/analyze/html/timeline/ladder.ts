import type { Level } from "@sheepdog/guardian";
import type { EpisodeFacts } from "../../../../look-back/look-back-run.ts";
import { type Html, html } from "../html.ts";
import { icon } from "../icon.ts";
import { timeText } from "../times.ts";
import { levelName } from "./levels.ts";

const levels: readonly Level[] = ["hint", "warn", "block", "halt"];

/** The four levels, and the call after which each would have come. */
export function ladder({ interventions }: Pick<EpisodeFacts, "interventions">): Html {
  const rungs = levels.map((level) => {
    const reached = interventions.find((intervention) => intervention.level === level);
    const when =
      reached === undefined
        ? "not reached"
        : reached.call < 0
          ? "before the first call"
          : `after call ${(reached.call + 1).toLocaleString("en-US")}`;
    const time = reached?.at === null || reached === undefined ? "" : `, ${timeText(reached.at)}`;
    const state = reached === undefined ? "not-reached" : "reached";
    return html`
      <li class="${level} ${state}">
        <span class="lvl">${icon(level)}${levelName[level]}</span>
        <small>${when}${time}</small>
      </li>
    `;
  });
  return html`<ol class="ladder" aria-label="What the guardian would have done">${rungs}</ol>`;
}
