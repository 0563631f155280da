import type { Findings } from "../../contract/index.ts";

/** How far the analysis is. The numbers below it cover what is analyzed so far. */
export function AnalysisProgress({ progress: { done, total } }: Pick<Findings, "progress">) {
  return (
    <div class="panel progress-note">
      <progress value={done} max={total} aria-label="Runs analyzed" />
      <p>
        <b class="num">
          {done.toLocaleString("en-US")} of {total.toLocaleString("en-US")}
        </b>{" "}
        runs analyzed. The numbers below cover what is analyzed so far.
      </p>
    </div>
  );
}
