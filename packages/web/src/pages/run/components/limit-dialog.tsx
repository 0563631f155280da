import { useId, useState } from "preact/hooks";
import { post } from "../../../api/client.ts";
import type { CommandResult, RunRow } from "../../../contract/index.ts";
import { usd } from "../../../format/amounts.ts";
import { CommandNote } from "../../../parts/command-note.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { useCommand } from "../../../parts/use-command.ts";

interface LimitDialogProps {
  readonly run: RunRow;
  readonly purpose: "resume" | "limit";
  readonly onClose: () => void;
  readonly onDone: (result: CommandResult) => void;
}

/** Asks for a limit of the run's cost: to resume it with, or for the rest of a live run. */
export function LimitDialog({ run, purpose, onClose, onDone }: LimitDialogProps) {
  const id = useId();
  const [amount, setAmount] = useState(suggestion(run, purpose));
  const { isSending, result, send } = useCommand();
  const isResume = purpose === "resume";
  const value = Number(amount);
  const spent = run.costUsd ?? 0;
  const isNewRun = isResume && run.state !== "broken_off"; // a run that broke off continues under its own id
  const atLeast = isNewRun ? 0 : spent;
  const isEnough = amount.trim() === "" ? isResume : Number.isFinite(value) && value > atLeast;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const params = { id: run.id };
    const sent = await send(() =>
      isResume
        ? post("resume", amount.trim() === "" ? {} : { maxCostUsd: value }, { params })
        : post("command", { type: "limit", limit: "run-cost", stop: value }, { params }),
    );
    if (sent?.isDone !== true) return;
    onDone(sent);
    onClose();
  };
  return (
    <Dialog title={isResume ? "Resume this run" : "Raise the limit of this run"} onClose={onClose}>
      <form class="limit-form" onSubmit={(event) => void submit(event)}>
        <p class="muted">
          It has cost {usd(run.costUsd)}
          {run.limitUsd === null ? "; it has no limit." : ` of ${usd(run.limitUsd)}.`}
          {isResume && " It continues where it ended, with the same session."}
          {isNewRun
            ? " The limit is for the new run alone, which begins at $0.00."
            : " The limit is for the whole run, with what it has cost so far."}
        </p>
        <label for={id}>Limit of the {isNewRun ? "new run’s" : "run’s"} cost, in dollars</label>
        <input
          id={id}
          class="field"
          inputMode="decimal"
          value={amount}
          placeholder={isResume ? "as it was" : ""}
          onInput={({ currentTarget }) => setAmount(currentTarget.value)}
        />
        {!isEnough && <p class="faint">Choose more than {usd(atLeast)}.</p>}
        <div class="set">
          <button type="submit" class="btn primary" disabled={!isEnough || isSending}>
            {isResume ? "Resume" : "Raise limit"}
          </button>
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <CommandNote result={result} />
        </div>
      </form>
    </Dialog>
  );
}

/** Twice the limit to raise it, or if most of it is spent. */
function suggestion({ costUsd, limitUsd }: RunRow, purpose: LimitDialogProps["purpose"]): string {
  if (limitUsd === null) return "";
  return String(purpose === "limit" || (costUsd ?? 0) > limitUsd * 0.7 ? limitUsd * 2 : limitUsd);
}
