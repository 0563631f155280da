import { type Html, html } from "../html.ts";
import type { RunAxis } from "./run-axis.ts";

interface Lane {
  readonly title: string;
  readonly note: string;
  readonly plot: Html;
  readonly value: string;
  readonly of: string;
}

/** A lane of the timeline: its name, its drawing, and its amount. */
export function lane({ title, note, plot, value, of }: Lane): Html {
  return html`
    <div class="lane">
      <div class="lane-name"><b>${title}</b><small>${note}</small></div>
      ${plot}
      <div class="lane-value"><b>${value}</b><small>${of}</small></div>
    </div>
  `;
}

/** The line through all lanes at which the run would have been ended. */
export function endLine({ end }: RunAxis, height: number): Html {
  if (end === undefined) return html``;
  return html`<line class="end-line" x1="${end}%" x2="${end}%" y1="0" y2="${height}"/>`;
}
