import type { LookBack, Scan, ScannedPlace } from "../../../look-back/look-back.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { sizeText } from "../../../render/terminal/size-text.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icon.ts";
import { pathText } from "./name-text.ts";

const MAX_PLACES = 60;

/** What was read, and what could not be read. */
export function scanSection({ scan }: LookBack): Html {
  const { places, files, bytes, skipped, skippedCount } = scan;
  const found = places.filter((place) => place.files > 0);
  const more = found.length - MAX_PLACES;
  const size = bytes > 0 ? `, ${sizeText(bytes)}` : "";
  const rest = more > 0 ? html`<tfoot><tr><td colspan="3">${counted(more, "more place")}</td></tr></tfoot>` : undefined;
  return html`
    <section class="panel" id="read">
      <div class="phead"><h2>What was read</h2><p>${counted(files, "file")}${size}</p></div>
      <table class="tbl">
        <thead>
          <tr><th scope="col">Place</th><th scope="col" class="r">Files</th><th scope="col" class="r">Runs</th></tr>
        </thead>
        <tbody>${found.slice(0, MAX_PLACES).map(placeRow)}</tbody>
        ${rest}
      </table>
      ${skippedList(skipped, skippedCount)}
    </section>
  `;
}

function placeRow({ agent, path, files, runs }: ScannedPlace): Html {
  return html`
    <tr>
      <td class="name">${agent === null ? "" : `${agent} `}<span class="faint"><bdi>${pathText(path)}</bdi></span></td>
      <td class="r num">${files.toLocaleString("en-US")}</td>
      <td class="r num">${runs.toLocaleString("en-US")}</td>
    </tr>
  `;
}

function skippedList(skipped: Scan["skipped"], count: number): Html {
  if (count === 0) return html`<p class="pad faint">Every line could be read.</p>`;
  const what =
    count === 1
      ? "One line or file could not be read and is in no number"
      : `${count.toLocaleString("en-US")} lines and files could not be read and are in no number`;
  const items = skipped.map(({ file, line, why, lines = 1 }) => {
    const where = line > 0 ? `:${line}` : "";
    const several = lines > 1 ? ` (${lines.toLocaleString("en-US")} lines)` : "";
    return html`<li><code><bdi>${pathText(file)}</bdi>${where}</code> <span>${why}${several}</span></li>`;
  });
  const more =
    count > skipped.length ? html`<p class="pad faint">These are the first ${skipped.length}.</p>` : undefined;
  return html`
    <details class="fold numbers">
      <summary>${icon("chev")}${what}</summary>
      <ul class="skipped">${items}</ul>
      ${more}
    </details>
  `;
}
