import { groupLabel } from "../../../look-back/group-label.ts";
import { type Group, type Grouping, groupsBy } from "../../../look-back/groups.ts";
import type { LookBack } from "../../../look-back/look-back.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
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
  const columns: readonly PanelColumn[] = [
    { panels: [], height: 0 },
    { panels: [], height: 0 },
  ];
  for (const by of kinds) {
    const panel = groupPanel(lookBack, by, { measure, rows });
    if (panel === undefined) continue;
    const lower = columns.reduce((lowest, column) => (column.height < lowest.height ? column : lowest));
    lower.panels.push(panel.html);
    lower.height += panel.height;
  }
  const filled = columns.filter(({ height }) => height > 0).map(({ panels }) => html`<div>${panels}</div>`);
  return html`<section id="parts" aria-label="Where it went" class="parts">${filled}</section>`;
}

/** Panels below each other: the next one stands in the shorter column. */
interface PanelColumn {
  readonly panels: Html[];
  /** In rows of a table. */
  height: number;
}

/** The title and the head of a panel, in rows of a table. */
const HEAD_ROWS = 3;

interface Panel {
  readonly html: Html;
  readonly height: number;
}

interface PanelSetup {
  readonly measure: Measure;
  readonly rows: number;
}

function groupPanel(lookBack: LookBack, by: Grouping, { measure, rows }: PanelSetup): Panel | undefined {
  const groups = groupsBy(lookBack, by).filter((group) => by !== "cause" || group.stuckRuns > 0);
  const [only] = groups;
  // One agent, and a single group without a name, are no division.
  if (only === undefined || (groups.length === 1 && (by === "agent" || only.name === ""))) return undefined;
  const shown = groups.slice(0, rows);
  const max = Math.max(...shown.map(measure.all));
  const isCause = by === "cause";
  const columns = isCause
    ? ["Why", measure.isMoney ? "Cost" : "Calls", "Runs", ...(measure.isMoney ? ["Calls"] : [])]
    : [by.slice(0, 1).toUpperCase() + by.slice(1), measure.title, "In circles"];
  const heads = columns.map((column, index) =>
    index < 2 ? html`<th scope="col">${column}</th>` : html`<th scope="col" class="r">${column}</th>`,
  );
  const rowHeight = by === "project" ? 1.5 : 1; // with its folder
  const height = shown.length * rowHeight + HEAD_ROWS + Math.min(1, groups.length - shown.length);
  const panel = html`
    <section class="panel">
      <div class="phead">
        <h2>${titles[by]}</h2>
        ${isCause ? html`<p>calls that repeat an earlier one</p>` : legend()}
      </div>
      <table class="tbl bars">
        <thead><tr>${heads}</tr></thead>
        <tbody>${shown.map((group) => row(group, { by, max, measure }))}</tbody>
        ${restRow(groups.slice(rows), by, measure)}
      </table>
    </section>
  `;
  return { html: panel, height };
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
  const width = share(stuck, max);
  const loop =
    width > 0
      ? html`<rect class="${width < 1 ? "loop thin" : "loop"}" x="${work}%" y=".5" width="${width}%" height="7"/>`
      : undefined;
  return html`
    <tr>
      <td class="name">${name(by, group.name)}</td>
      <td>
        <div class="barcell">
          <svg class="bar" width="100%" height="8" aria-hidden="true">
            <rect class="back" width="100%" height="8" rx="2"/>
            <rect class="work" width="${work}%" height="8" rx="2"/>
            ${loop}
          </svg>
          <span class="r num">${measure.text(all)}</span>
        </div>
      </td>
      ${amounts(group, by, measure).map((amount) => html`<td class="r num">${amount}</td>`)}
    </tr>
  `;
}

/** The last columns: how much of it went in circles. */
function amounts(group: Group, by: Grouping, measure: Measure): readonly string[] {
  const { stuckRuns, stuckCalls } = group;
  if (by === "cause") return [number(stuckRuns), ...(measure.isMoney ? [number(stuckCalls)] : [])];
  const stuck = measure.stuck(group);
  return [stuckCalls === 0 && stuck === 0 ? "–" : measure.text(stuck)];
}

function restRow(rest: readonly Group[], by: Grouping, measure: Measure): Html {
  if (rest.length === 0) return html``;
  const all = rest.reduce((sum, group) => sum + measure.all(group), 0);
  const stuck = rest.reduce((sum, group) => sum + measure.stuck(group), 0);
  const columns = by === "cause" && measure.isMoney ? 2 : 1;
  const inCircles = by === "cause" || stuck === 0 ? "" : measure.text(stuck);
  return html`
    <tfoot>
      <tr>
        <td>${number(rest.length)} more</td>
        <td class="r num">${measure.text(all)}</td>
        <td class="r num" colspan="${columns}">${inCircles}</td>
      </tr>
    </tfoot>
  `;
}

/** The last folder of a path tells more than those above it. */
function name(by: Grouping, group: string): Html {
  const label = plainText(groupLabel(by, group));
  const last = by === "project" ? label.lastIndexOf("/") : -1;
  if (last <= 0 || last === label.length - 1) return html`<bdi>${nameText(label)}</bdi>`;
  const folder = html`<small><bdi>${pathText(label.slice(0, last))}</bdi></small>`;
  return html`<bdi>${nameText(label.slice(last + 1))}</bdi>${folder}`;
}

function number(amount: number): string {
  return amount.toLocaleString("en-US");
}
