import { useCallback, useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { useLive } from "../../app/live.ts";
import { Link } from "../../app/router.tsx";
import type { RunRow, StreamMessage } from "../../contract/index.ts";
import { counted, usd } from "../../format/amounts.ts";
import { duration } from "../../format/times.ts";
import { CommandNote } from "../../parts/command-note.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { TellField } from "../../parts/tell-field.tsx";
import { useCommand } from "../../parts/use-command.ts";
import { type CurrentCall, followCalls } from "./current-call.ts";

/** The live runs beside the feed: what each does now, and a field to tell one of them something. */
export function LiveRuns({ runs, now }: { readonly runs: readonly RunRow[]; readonly now: number }) {
  const calls = useCurrentCalls();
  const [chosenId, setChosenId] = useState<string | undefined>(undefined);
  const target = runs.find(({ id }) => id === chosenId) ?? runs.find(({ waitsFor }) => waitsFor === null);
  const [isAsking, setAsking] = useState(false);
  const stopped = useCommand();
  return (
    <section class="panel" aria-labelledby="live-runs">
      <div class="phead">
        <h2 id="live-runs">Live runs</h2>
        <p class="grow">{runs.length}</p>
        {runs.length > 0 && (
          <button class="btn small quiet danger" type="button" onClick={() => setAsking(true)}>
            <Icon name="stop" />
            Stop all
          </button>
        )}
      </div>
      {stopped.result !== undefined && (
        <div class="phead">
          <CommandNote result={stopped.result} />
        </div>
      )}
      {runs.length === 0 && <p class="faint live-none">Nothing is running.</p>}
      <ul class="live">
        {runs.map((run) => (
          <LiveRun
            key={run.id}
            run={run}
            call={calls.get(run.id)}
            now={now}
            isTarget={run.id === target?.id}
            onChoose={() => setChosenId(run.id)}
          />
        ))}
      </ul>
      {target !== undefined && (
        <div class="phead foot">
          <TellField
            key={target.id}
            runId={target.id}
            label={`Tell ${target.project ?? titleOf(target)} something`}
            hasFocus={target.id === chosenId}
          />
        </div>
      )}
      {isAsking && (
        <Dialog title={`Stop ${counted(runs.length, "live run")}?`} onClose={() => setAsking(false)}>
          <p class="muted">Each run ends after saving its turn. You can resume it later.</p>
          <footer>
            <button class="btn" type="button" onClick={() => setAsking(false)}>
              Cancel
            </button>
            <button
              class="btn primary"
              type="button"
              onClick={() => {
                setAsking(false);
                void stopped.send(() => post("stopAll", {}));
              }}
            >
              Stop {runs.length === 1 ? "it" : "all"}
            </button>
          </footer>
        </Dialog>
      )}
    </section>
  );
}

interface LiveRunProps {
  readonly run: RunRow;
  readonly call: CurrentCall | undefined;
  readonly now: number;
  readonly isTarget: boolean;
  readonly onChoose: () => void;
}

function LiveRun({ run, call, now, isTarget, onChoose }: LiveRunProps) {
  return (
    <li>
      <div class="row">
        <LiveMark run={run} />
        <Link class="grow title" href={`/runs/${encodeURIComponent(run.id)}`}>
          <span class="cut">{titleOf(run)}</span>
          {run.project !== null && <span class="faint">{run.project}</span>}
        </Link>
        <span class="num">{usd(run.costUsd)}</span>
      </div>
      <div class="row now">
        <p class="grow cut">
          <Doing run={run} call={call} now={now} />
        </p>
        {run.waitsFor === null && (
          <button
            class="btn quiet tiny"
            type="button"
            aria-label={`Tell ${run.project ?? titleOf(run)} something`}
            aria-pressed={isTarget}
            onClick={onChoose}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
      <Meter value={run.costUsd ?? 0} limit={run.limitUsd} />
    </li>
  );
}

function LiveMark({ run: { waitsFor } }: { readonly run: RunRow }) {
  if (waitsFor === null) return <span class="pulse" />;
  const isApproval = waitsFor === "approval";
  return (
    <span class={`lvl ${isApproval ? "" : "block"}`}>
      <Icon name={isApproval ? "gate" : "block"} />
    </span>
  );
}

function Doing({ run, call, now }: Pick<LiveRunProps, "run" | "call" | "now">) {
  if (run.waitsFor !== null) return <>{run.waitsFor === "approval" ? "waits for approval" : "waits for you"}</>;
  if (call === undefined) return run.doing === null ? <>works on it</> : <Sentence parts={run.doing} />;
  const ms = now - call.since;
  return (
    <>
      <Sentence parts={call.words} />
      {ms >= 2_000 && `, ${duration(ms)}`}
    </>
  );
}

function titleOf({ task, id }: RunRow): string {
  return task === "" ? id : task;
}

/** The current call of each run, from the live stream. */
function useCurrentCalls(): ReadonlyMap<string, CurrentCall> {
  const [calls, setCalls] = useState<ReadonlyMap<string, CurrentCall>>(() => new Map());
  useLive(
    useCallback((message: StreamMessage) => {
      if (message.type !== "reset") setCalls((before) => followCalls(before, message.events));
    }, []),
  );
  return calls;
}
