import type { EpisodeFacts, EvidenceCall } from "../../../look-back/look-back-run.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { plainLines } from "../../../render/terminal/plain-text.ts";
import { type ChangedPart, textChange } from "../text-change.ts";
import { type Html, html } from "./html.ts";
import { nameText } from "./name-text.ts";
import { timeText } from "./times.ts";

const MAX_TOOLS = 3;

/** The calls of a loop side by side, with what differs marked. Those of a cycle are compared tool by tool. */
export async function evidence({ evidence: calls }: Pick<EpisodeFacts, "evidence">): Promise<Html> {
  const groups = new Map<string, readonly EvidenceCall[]>();
  for (const call of calls) groups.set(call.name, [...(groups.get(call.name) ?? []), call]);
  const shown = [...groups.values()].slice(0, MAX_TOOLS);
  const more = groups.size - shown.length;
  const rest = more > 0 ? html`<p class="faint">and calls of ${counted(more, "more tool")}</p>` : undefined;
  return html`${await Promise.all(shown.map(compared))}${rest}`;
}

/** The first and the last of the calls, and what those between them change. */
async function compared(calls: readonly EvidenceCall[]): Promise<Html> {
  const [first, last] = [calls[0], calls.at(-1)];
  if (first === undefined || last === undefined) return html``;
  const args = await part(calls, { title: "Called with", empty: "no arguments", text: (call) => call.args });
  const result = await part(calls, {
    title: calls.every(({ isError }) => isError) ? "Failed with" : "Result",
    empty: "no text",
    text: (call) => call.result,
  });
  const where = calls.map(({ call }) => number(call + 1)).join(", ");
  return html`
    <div class="calls">
      <h4>
        <code>${nameText(first.name)}</code>
        <span class="faint">${calls.length === 1 ? place(first) : `${calls.length} of its calls: ${where}`}</span>
      </h4>
      ${args}${result}
    </div>
  `;
}

interface PartSetup {
  readonly title: string;
  readonly empty: string;
  text(call: EvidenceCall): string;
}

/** The arguments or the results: once if they are all the same, else the first and the last side by side. */
async function part(calls: readonly EvidenceCall[], { title, empty, text }: PartSetup): Promise<Html> {
  const texts = calls.map((call) => plainLines(text(call)).trim());
  const [first = "", last = ""] = [texts[0], texts.at(-1)];
  if (new Set(texts).size === 1) {
    const same = calls.length === 1 ? "" : calls.length === 2 ? "the same both times" : "the same each time";
    return html`<div class="part">${partTitle(title, same)}${block(html`${first}`, first, empty)}</div>`;
  }
  const firstOther = texts.findIndex((each) => each !== first);
  const other = first === last ? firstOther : texts.length - 1;
  const changes = await textChange(first, texts[other] ?? "");
  const isMarked = isWorthMarking(changes);
  const side = (index: number, of: "before" | "after") => {
    const call = calls[index];
    const own = texts[index] ?? "";
    const content = isMarked ? marked(changes, of) : html`${own}`;
    return html`<div>${partTitle(title, call === undefined ? "" : place(call))}${block(content, own, empty)}</div>`;
  };
  const note = calls.length > 2 ? html`<p class="faint">${sameText(texts)}</p>` : undefined;
  return html`<div class="part side">${side(0, "before")}${side(other, "after")}${note}</div>`;
}

function partTitle(title: string, note: string): Html {
  return html`<h5>${title} <span class="faint">${note}</span></h5>`;
}

/** How many of the texts are equal. */
function sameText(texts: readonly string[]): string {
  const most = Math.max(...texts.map((text) => texts.filter((other) => other === text).length));
  return most === 1 ? `all ${texts.length} differ` : `${most} of these ${texts.length} are the same`;
}

function block(content: Html, text: string, empty: string): Html {
  if (text === "") return html`<p class="faint none">${empty}</p>`;
  // A long text scrolls in its own box, which the keyboard reaches as well.
  return text.length > 300 ? html`<pre tabindex="0">${content}</pre>` : html`<pre>${content}</pre>`;
}

/** Where nearly everything differs, marks say nothing. */
function isWorthMarking(changes: readonly ChangedPart[]): boolean {
  const chars = (of: ChangedPart["of"]) =>
    changes.filter((change) => change.of === of).reduce((sum, { text }) => sum + text.trim().length, 0);
  const both = chars("both");
  return both > 0 && both >= 0.15 * (both + Math.max(chars("before"), chars("after")));
}

function marked(changes: readonly ChangedPart[], side: "before" | "after"): Html {
  return html`${changes
    .filter(({ of }) => of === "both" || of === side)
    .map(({ of, text }) => (of === "both" ? html`${text}` : html`<mark>${text}</mark>`))}`;
}

function place({ call, at }: EvidenceCall): string {
  return `call ${number(call + 1)}${at === null ? "" : `, ${timeText(at)}`}`;
}

function number(amount: number): string {
  return amount.toLocaleString("en-US");
}
