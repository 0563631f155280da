import { groupLabel } from "../../../look-back/group-label.ts";
import { type Group, type Grouping, groupsBy } from "../../../look-back/groups.ts";
import type { LookBack } from "../../../look-back/look-back.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { usdText } from "../../../sentences/amount-text.ts";
import { legend } from "./charts/over-time.ts";
import { share } from "./charts/scale.ts";
import { type Html, html } from "./html.ts";
import type { Measure } from "./measure.ts";
import { nameText, pathText } from "./name-text.ts";

const titles: Readonly<Partial<Record<Grouping, string>>> = {
  cause: "By cause",
  tool: "By tool",
  model: "By model",
  project: "By project",
  agent: "By agent",
};

/** Where the money went, and where the circles were. */
export function groupPanels(lookBack: LookBack, measure: Measure, rows: number): Html {
  const kinds = ["cause", "tool", "project", "model", "agent"] as const;
  const panels = kinds.map((by) => groupPanel(lookBack, by, { measure, rows }));
  return html`<section id="parts" aria-label="Where it went" class="parts">${panels}</section>`;
}

interface PanelSetup {
  readonly measure: Measure;
  readonly rows: number;
}

function groupPanel(lookBack: LookBack, by: Grouping, { measure, rows }: PanelSetup): Html {
  const groups = groupsBy(lookBack, by).filter((group) => by !== "cause" || group.stuckRuns > 0);
  const [only] = groups;
  // One agent, and a single group without a name, are no division.
  if (only === undefined || (groups.length === 1 && (by === "agent" || only.name === ""))) return html``;
  const shown = groups.slice(0, rows);
  const rest = groups.slice(rows);
  const max = Math.max(...shown.map(measure.all));
  return html`<section class="panel"><div class="phead"><h2>${titles[by]}</h2>${
    by === "cause" ? html`<p>calls that repeat an earlier one</p>` : legend()
  }</div><table class="tbl bars"><thead><tr><th scope="col">${by === "cause" ? "Why" : capitalized(by)}</th><th
scope="col">${by === "cause" ? (measure.isMoney ? "Cost" : "Calls") : measure.title}</th>${
    by === "cause"
      ? html`<th scope="col" class="r">Runs</th>${measure.isMoney ? html`<th scope="col" class="r">Calls</th>` : undefined}`
      : html`<th scope="col" class="r">In circles</th>`
  }</tr></thead><tbody>${shown.map((group) => row(group, { by, max, measure }))}</tbody>${
    rest.length === 0 ? undefined : restRow(rest, by, measure)
  }</table></section>`;
}

interface RowSetup {
  readonly by: Grouping;
  readonly max: number;
  readonly measure: Measure;
}

function row(group: Group, { by, max, measure }: RowSetup): Html {
  const all = measure.all(group);
  const stuck = measure.stuck(group);
  const work = share(all - stuck, max);
  const bar = html`<svg class="bar" width="100%" height="8" aria-hidden="true"><rect class="back" width="100%" height="8"
rx="2"/><rect class="work" width="${work}%" height="8" rx="2"/>${
    stuck > 0
      ? html`<rect class="loop" x="${work}%" y=".5" width="${Math.max(0.6, share(stuck, max))}%" height="7"/>`
      : undefined
  }</svg>`;
  return html`<tr><td class="name">${name(by, group.name)}</td><td><div class="barcell">${bar}<span class="r num">${measure.text(
    all,
  )}</span></div></td>${amounts(group, by, measure)}</tr>`;
}

/** The last columns: how much of it went in circles. */
function amounts(group: Group, by: Grouping, measure: Measure): Html {
  if (by === "cause")
    return html`<td class="r num">${number(group.stuckRuns)}</td>${
      measure.isMoney ? html`<td class="r num">${number(group.stuckCalls)}</td>` : undefined
    }`;
  const stuck = measure.stuck(group);
  return html`<td class="r num">${
    group.stuckCalls === 0 && stuck === 0
      ? html`<span class="faint">–</span>`
      : html`${measure.isMoney ? usdText(stuck) : number(stuck)}`
  }</td>`;
}

function restRow(rest: readonly Group[], by: Grouping, measure: Measure): Html {
  const all = rest.reduce((sum, group) => sum + measure.all(group), 0);
  const stuck = rest.reduce((sum, group) => sum + measure.stuck(group), 0);
  const columns = by === "cause" && measure.isMoney ? 2 : 1;
  return html`<tfoot><tr><td>${number(rest.length)} more</td><td class="r num">${measure.text(all)}</td><td class="r num"
colspan="${columns}">${by === "cause" || stuck === 0 ? "" : measure.text(stuck)}</td></tr></tfoot>`;
}

/** The last folder of a path tells more than those above it. */
function name(by: Grouping, group: string): Html {
  const label = plainText(groupLabel(by, group));
  const last = by === "project" ? label.lastIndexOf("/") : -1;
  if (last <= 0 || last === label.length - 1) return html`<bdi>${nameText(label)}</bdi>`;
  const folder = html`<small><bdi>${pathText(label.slice(0, last))}</bdi></small>`;
  return html`<bdi>${nameText(label.slice(last + 1))}</bdi>${folder}`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function number(amount: number): string {
  return amount.toLocaleString("en-US");
}
