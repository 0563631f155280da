import { useId, useState } from "preact/hooks";
import { load } from "../../../api/client.ts";
import type { InterventionView, RunDetail, WhatIf } from "../../../contract/index.ts";
import { usd } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import { useDocument } from "../../../parts/use-document.ts";
import { effectWords } from "../model/what-if-words.ts";
import { useRunClock } from "./run-clock.ts";

interface WhatIfSectionProps {
  readonly detail: RunDetail;
  readonly answer: InterventionView["answer"];
}

/** What the run would have cost if it had been ended at another number of equal calls. */
export function WhatIfSection({ detail, answer }: WhatIfSectionProps) {
  const timeOf = useRunClock();
  const id = useId();
  const { run } = detail;
  const document = useDocument<WhatIf>(run.id, (signal) => load("whatIf", { params: { id: run.id }, signal }));
  const [count, setCount] = useState<number | undefined>(undefined);
  const points = document.value?.points ?? [];
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const wanted = count ?? document.value?.defaultCount ?? first.count;
  const point = points.findLast((each) => each.count <= wanted) ?? first;
  const continued = answer ?? detail.interventions.find((each) => each.answer?.answer === "continue")?.answer;
  const without = continued?.answer === "continue" ? `, without your answer at ${clock(continued.at)}` : "";
  return (
    <section>
      <h3>
        What would have happened <span class="faint">in this run{without}</span>
      </h3>
      <label class="vh" for={id}>
        Count at which the run is ended
      </label>
      <input
        type="range"
        id={id}
        min={first.count}
        max={last.count}
        value={point.count}
        aria-valuetext={`Ended at ${point.count}: ${effectWords(run.state, point.savedUsd)}`}
        onInput={({ currentTarget }) => setCount(Number(currentTarget.value))}
      />
      <div class="if">
        <span>
          Ended from <b>{point.count}</b> equal calls on
          {point.count === document.value?.defaultCount && <span class="faint">, as it is set</span>}
        </span>
        <span class="muted num">
          {(point.at === null ? null : timeOf(point.at)) ?? `turn ${point.turn}`}
          {point.costUsd === null ? "" : `, ${usd(point.costUsd)}`}
        </span>
      </div>
      {point.savedUsd !== null && <p class="if-effect">{effectWords(run.state, point.savedUsd)}</p>}
      <p class="faint estimate">
        This is an estimate: what the run did until then is known, what came after is left out.
      </p>
    </section>
  );
}
