import { useState } from "preact/hooks";
import { post } from "../../../api/client.ts";
import { useShortcuts } from "../../../app/keys.ts";
import { navigate } from "../../../app/router.tsx";
import type { RunDetail } from "../../../contract/index.ts";
import { CommandNote } from "../../../parts/command-note.tsx";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { ForkDialog } from "../../../parts/fork-dialog.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { useCommand } from "../../../parts/use-command.ts";
import { LimitDialog } from "./limit-dialog.tsx";

/** What can be done with the run now. */
export function RunActions({ detail, onChanged }: { readonly detail: RunDetail; readonly onChanged: () => void }) {
  const { run, accepts } = detail;
  const [open, setOpen] = useState<"resume" | "limit" | "fork" | null>(null);
  const { isSending, result, send } = useCommand();
  const params = { id: run.id };
  const canResume = accepts.includes("resume") && run.resumeProblem === null;
  const canLimit = accepts.includes("limit");
  const follow = (sent: { readonly runId: string | null; readonly isDone: boolean } | undefined) => {
    if (sent?.isDone && sent.runId !== null && sent.runId !== run.id)
      navigate(`/runs/${encodeURIComponent(sent.runId)}`);
    else onChanged();
  };
  const stop = async () => follow(await send(() => post("command", { type: "stop" }, { params })));
  useShortcuts("This run", [
    ...(canResume ? [{ keys: "r", label: "Resume", action: () => setOpen("resume") }] : []),
    ...(accepts.includes("fork") ? [{ keys: "f", label: "Fork", action: () => setOpen("fork") }] : []),
    ...(canLimit ? [{ keys: "l", label: "Raise the limit", action: () => setOpen("limit") }] : []),
  ]);
  return (
    <div class="actions">
      {canResume && (
        <button type="button" class="btn primary" disabled={isSending} onClick={() => setOpen("resume")}>
          <Icon name="play" />
          Resume
        </button>
      )}
      {accepts.includes("stop") && (
        <button type="button" class="btn danger" disabled={isSending} onClick={() => void stop()}>
          <Icon name="stop" />
          Stop
        </button>
      )}
      {accepts.includes("fork") && (
        <button type="button" class="btn" disabled={isSending} onClick={() => setOpen("fork")}>
          <Icon name="fork" />
          Fork
        </button>
      )}
      {run.resumeCommand !== null && <CopyButton class="btn" text={run.resumeCommand} label="Copy command" />}
      {canLimit && (
        <button type="button" class="btn" disabled={isSending} onClick={() => setOpen("limit")}>
          <Icon name="raise" />
          Raise limit
        </button>
      )}
      {run.resumeProblem !== null && <p class="faint action-note">{run.resumeProblem}</p>}
      <CommandNote result={result} />
      {open === "fork" && <ForkDialog runId={run.id} onClose={() => setOpen(null)} />}
      {open !== null && open !== "fork" && (
        <LimitDialog run={run} purpose={open} onClose={() => setOpen(null)} onDone={(sent) => follow(sent)} />
      )}
    </div>
  );
}
