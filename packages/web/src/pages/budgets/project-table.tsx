import type { Budgets } from "../../contract/index.ts";
import { usd } from "../../format/amounts.ts";
import { totalUsd } from "./day-bars.ts";
import { SpendingLegend } from "./spending-legend.tsx";
import { SplitBar } from "./split-bar.tsx";

/** What each project spent. */
export function ProjectTable({ projects }: { readonly projects: Budgets["projects"] }) {
  const mostUsd = Math.max(0, ...projects.map(totalUsd));
  return (
    <section class="panel" aria-labelledby="by-project">
      <div class="phead">
        <h2 id="by-project">By project</h2>
        <SpendingLegend />
      </div>
      {projects.length === 0 && <p class="muted pad">Nothing was spent in this time.</p>}
      {projects.length > 0 && (
        <table class="tbl bars">
          <thead>
            <tr>
              <th scope="col">Project</th>
              <th scope="col">Spent</th>
              <th scope="col" class="r">
                In loops
              </th>
            </tr>
          </thead>
          <tbody>
            {projects.map(({ project, workspace, workUsd, loopUsd }) => (
              <tr key={workspace ?? project}>
                <td class="name" title={workspace ?? undefined}>
                  {project}
                </td>
                <td>
                  <SplitBar workUsd={workUsd} loopUsd={loopUsd} mostUsd={mostUsd} />
                </td>
                <td class={`r num ${loopUsd > 0 ? "" : "faint"}`}>{loopUsd > 0 ? usd(loopUsd) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
