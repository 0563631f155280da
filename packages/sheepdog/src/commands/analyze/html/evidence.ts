import type { EpisodeFacts, EvidenceCall } from "../../../look-back/look-back-run.ts";
import { plainLines } from "../../../render/terminal/plain-text.ts";
import { type ChangedPart, textChange } from "../text-change.ts";
import { type Html, html } from "./html.ts";
import { timeText } from "./times.ts";

const MAX_TOOLS = 3;

/** The calls of a loop side by side, with what differs marked. Those of a cycle are compared tool by tool. */
export async function evidence({ evidence: calls }: Pick<EpisodeFacts, "evidence">): Promise<Html> {
  const groups = new Map<string, readonly EvidenceCall[]>();
  for (const call of calls) groups.set(call.name, [...(groups.get(call.name) ?? []), call]);
  const shown = [...groups.values()].slice(0, MAX_TOOLS);
  const more = groups.size - shown.length;
  return html`${await Promise.all(shown.map(compared))}${
    more > 0 ? html`<p class="faint">and calls of ${more} more ${more === 1 ? "tool" : "tools"}</p>` : undefined
  }`;
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
  return html`<div class="calls"><h5><code>${first.name}</code><span class="faint">${
    calls.length === 1
      ? place(first)
      : `${calls.length} of its calls: ${calls.map(({ call }) => number(call + 1)).join(", ")}`
  }</span></h5>${args}${result}</div>`;
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
    return html`<div class="part"><h6>${title} <span class="faint">${same}</span></h6>${block(html`${first}`, first, empty)}</div>`;
  }
  const places = texts.map((each, index) => ({ each, index }));
  const other =
    first === last ? (places.find(({ each }) => each !== first)?.index ?? calls.length - 1) : calls.length - 1;
  const changes = await textChange(first, texts[other] ?? "");
  const isMarked = isWorthMarking(changes);
  const side = (index: number, of: "before" | "after") => {
    const call = calls[index];
    const content = isMarked ? marked(changes, of) : html`${texts[index] ?? ""}`;
    return html`<div><h6>${title} <span class="faint">${call === undefined ? "" : place(call)}</span></h6>${block(
      content,
      texts[index] ?? "",
      empty,
    )}</div>`;
  };
  const note = calls.length > 2 ? sameText(texts) : "";
  return html`<div class="part side">${side(0, "before")}${side(other, "after")}${
    note === "" ? undefined : html`<p class="faint">${note}</p>`
  }</div>`;
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
