import { post } from "../../api/client.ts";
import type { Findings } from "../../contract/index.ts";
import { CommandNote } from "../../parts/command-note.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { useCommand } from "../../parts/use-command.ts";
import {
  limitUnit,
  limitValue,
  type Measure,
  type SweepPoint,
  savedAt,
  savedShare,
  savedText,
  stepEarlier,
  sweepToml,
} from "./sweep-words.ts";

interface SweepResultProps {
  readonly findings: Findings;
  readonly spanText: string;
  readonly measure: Measure;
  readonly index: number;
  readonly onChanged: () => void;
}

/** What the chosen limit saves and which good runs it stops, and a way to use it. */
export function SweepResult({ findings, spanText, measure, index, onChanged }: SweepResultProps) {
  const { sweep, totals } = findings;
  const point = sweep.points[index];
  if (point === undefined) return null;
  const share = measure === "usd" ? savedShare(point, sweep.by, totals) : undefined;
  return (
    <aside aria-label="What this setting does">
      <div>
        <p class="muted">If a run is ended at</p>
        <p class="big">
          {limitValue(point.limit, sweep.by)}{" "}
          <small>
            {limitUnit(point.limit, sweep.by)} {point.limit === sweep.current && <span class="tag">in force</span>}
          </small>
        </p>
      </div>
      <div class="both">
        <div>
          <p class="muted">saved {spanText}</p>
          <p class="big">{savedText(savedAt(point, measure), measure)}</p>
          {share !== undefined && <p class="faint">{share}</p>}
        </div>
        <div>
          <p class="muted">good runs stopped</p>
          <p class="big">
            {point.stoppedGood.length} <small>of {totals.goodRuns.toLocaleString("en-US")}</small>
          </p>
          <p class="faint">runs that later finished</p>
        </div>
      </div>
      <p class="muted pretty">{stepEarlier(sweep.points, index, measure)}</p>
      <UseLimit point={point} sweep={sweep} onChanged={onChanged} />
      <p class="faint pretty">From the stop on this is an estimate: nobody knows what the run would have done next.</p>
    </aside>
  );
}

interface UseLimitProps {
  readonly point: SweepPoint;
  readonly sweep: Findings["sweep"];
  readonly onChanged: () => void;
}

function UseLimit({ point, sweep: { by, current, toml }, onChanged }: UseLimitProps) {
  const { isSending, result, send } = useCommand();
  const isInForce = point.limit === current;
  const use = async () => {
    const outcome = await send(() => post("setBudget", { scope: "run", usd: point.limit }));
    if (outcome?.isDone === true) onChanged();
  };
  return (
    <div class="set">
      {isInForce && (
        <button type="button" class="btn primary" disabled>
          This is your policy
        </button>
      )}
      {!isInForce && by === "cost" && (
        <button type="button" class="btn primary" disabled={isSending} onClick={use}>
          Use {limitValue(point.limit, by)}
        </button>
      )}
      {toml !== null && (
        <CopyButton
          class={isInForce || by === "cost" ? "btn" : "btn primary"}
          label="Copy as TOML"
          text={sweepToml(toml, point.limit)}
        />
      )}
      {!isInForce && current !== null && <p class="faint">Your policy: {limitValue(current, by)}.</p>}
      {current === null && <p class="faint">Your policy has no such limit.</p>}
      <CommandNote result={result} />
    </div>
  );
}
