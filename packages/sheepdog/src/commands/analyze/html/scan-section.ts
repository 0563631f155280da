import type { LookBack } from "../../../look-back/look-back.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { sizeText } from "../../../render/terminal/size-text.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icon.ts";

const MAX_PLACES = 60;

/** What was read, and what could not be read. */
export function scanSection({ scan }: LookBack): Html {
  const { places, files, bytes, skipped, skippedCount } = scan;
  const found = places.filter((place) => place.files > 0);
  const more = found.length - MAX_PLACES;
  const size = bytes > 0 ? `, ${sizeText(bytes)}` : "";
  return html`<section class="panel" id="read"><div class="phead"><h2>What was read</h2><p>${counted(files, "file")}${size}</p></div>
<table class="tbl"><thead><tr><th scope="col">Place</th><th scope="col" class="r">Files</th><th scope="col" class="r">Runs</th></tr></thead><tbody>${found
    .slice(0, MAX_PLACES)
    .map(
      (place) =>
        html`<tr><td class="name">${place.agent === null ? undefined : html`${place.agent} `}<span class="faint"><bdi>${
          place.path
        }</bdi></span></td><td class="r num">${place.files.toLocaleString("en-US")}</td><td class="r num">${place.runs.toLocaleString(
          "en-US",
        )}</td></tr>`,
    )}</tbody>${more > 0 ? html`<tfoot><tr><td colspan="3">${counted(more, "more place")}</td></tr></tfoot>` : undefined}</table>${
    skippedCount === 0
      ? html`<p class="pad faint">Every line could be read.</p>`
      : html`<details class="fold numbers"><summary>${icon("chev")}${
          skippedCount === 1 ? "One line or file" : `${skippedCount.toLocaleString("en-US")} lines and files`
        } could not be read and ${skippedCount === 1 ? "is" : "are"} in no number</summary><ul class="skipped">${skipped.map(
          ({ file, line, why, lines = 1 }) =>
            html`<li><code><bdi>${file}</bdi>${line > 0 ? html`:${line}` : undefined}</code> <span>${why}${
              lines > 1 ? ` (${lines.toLocaleString("en-US")} lines)` : ""
            }</span></li>`,
        )}</ul>${
          skippedCount > skipped.length
            ? html`<p class="pad faint">These are the first ${skipped.length}.</p>`
            : undefined
        }</details>`
  }</section>`;
}
