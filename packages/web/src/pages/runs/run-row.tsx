import { memo } from "preact/compat";
import { useState } from "preact/hooks";
import { Link } from "../../app/router.tsx";
import type { RunRow } from "../../contract/index.ts";
import { usd } from "../../format/amounts.ts";
import { taskNote } from "../../format/task-note.ts";
import { CommandNote } from "../../parts/command-note.tsx";
import { ForkDialog } from "../../parts/fork-dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { levelIcons } from "../../parts/level-mark.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Sentence, sentenceText } from "../../parts/sentence.tsx";
import { Spark } from "../../parts/spark.tsx";
import { TellField } from "../../parts/tell-field.tsx";
import { useCommand } from "../../parts/use-command.ts";
import { RaiseField } from "./raise-field.tsx";
import { RowActions } from "./row-actions.tsx";
import { rowFacts, stateSign } from "./row-look.ts";

interface RunListRowProps {
  readonly run: RunRow;
  readonly isSelected: boolean;
  /** The time, for live runs; it is the same for all others, so that they are not drawn again. */
  readonly now: number;
  readonly onSelect: (id: string) => void;
}

/** One run in the list: what came of it, what it cost, and its one action. */
export const RunListRow = memo(function RunListRow({ run, isSelected, now, onSelect }: RunListRowProps) {
  const [opened, setOpened] = useState<"steer" | "raise" | "fork" | undefined>(undefined);
  const sent = useCommand();
  const name = run.project ?? "it";
  const task = taskNote(run.task, sentenceText(run.sentence));
  return (
    <li
      id={rowId(run.id)}
      {...(isSelected ? { "aria-current": "true" } : {})}
      onFocusIn={() => onSelect(run.id)}
      onMouseDown={() => onSelect(run.id)}
    >
      <StateMark run={run} />
      <div class="what">
        <Link href={runPath(run.id)}>
          <Sentence parts={run.sentence} />
        </Link>
        <p>
          {task !== null && <span class="task">{task}</span>}
          {rowFacts(run, now).map((fact, index) => (
            <span key={index}>{fact}</span>
          ))}
        </p>
      </div>
      <div class="guard">
        <GuardianMark guardian={run.guardian} />
      </div>
      <div class="sparkcell">
        <Spark spark={run.spark} />
      </div>
      <div class="money num">
        <b>{usd(run.costUsd)}</b> <small>{run.limitUsd === null ? "no limit" : `of ${usd(run.limitUsd)}`}</small>
        <Meter value={run.costUsd ?? 0} limit={run.limitUsd} />
      </div>
      <RowActions run={run} sent={sent} onOpen={(what) => setOpened(opened === what ? undefined : what)} />
      {opened === "steer" && run.isLive && (
        <div class="beneath">
          <TellField
            runId={run.id}
            label={`Tell ${name} something`}
            hasFocus
            onClose={() => {
              setOpened(undefined);
              focusRow(run.id);
            }}
          />
        </div>
      )}
      {opened === "raise" && !run.isLive && (
        <div class="beneath">
          <RaiseField run={run} sent={sent} onClose={() => setOpened(undefined)} />
        </div>
      )}
      {opened === "fork" && <ForkDialog runId={run.id} onClose={() => setOpened(undefined)} />}
      {sent.result !== undefined && (
        <div class="beneath end">
          <CommandNote result={sent.result} />
        </div>
      )}
    </li>
  );
});

/** The id of the row of a run. */
export function rowId(runId: string): string {
  return `row-${runId}`;
}

/** The address of a run's page. */
export function runPath(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

/** Moves the focus to a row, and the row into view. */
export function focusRow(runId: string): void {
  const row = document.getElementById(rowId(runId));
  row?.querySelector<HTMLElement>(".what > a")?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
}

function StateMark({ run }: { readonly run: RunRow }) {
  const { icon, tone, word } = stateSign(run);
  return (
    <span class={`state ${icon === "pulse" ? "bare" : tone}`} title={word}>
      {icon === "pulse" ? <span class="pulse" /> : <Icon name={icon} />}
      <span class="vh">{word}</span>
    </span>
  );
}

function GuardianMark({ guardian }: Pick<RunRow, "guardian">) {
  if (guardian === null)
    return (
      <span class="faint">
        <span aria-hidden="true">–</span>
        <span class="vh">The guardian had nothing to say</span>
      </span>
    );
  const level = guardian.isRecovered ? "recovered" : guardian.level;
  return (
    <span class={level === "limit" ? "lvl limit" : `lvl ${level}`}>
      <Icon name={levelIcons[level]} />
      <span class="cut">{guardian.text}</span>
    </span>
  );
}
