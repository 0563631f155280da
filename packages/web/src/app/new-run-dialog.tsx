import { useState } from "preact/hooks";
import { post } from "../api/client.ts";
import { Dialog } from "../parts/dialog.tsx";
import { DialogForm } from "../parts/dialog-form.tsx";
import { Icon } from "../parts/icon.tsx";
import { PromptField } from "../parts/prompt-field.tsx";
import { useCommand } from "../parts/use-command.ts";
import { openDialog } from "./dialogs.ts";
import { overview } from "./overview.ts";
import { navigate } from "./router.tsx";

/** Starts a run: what it should do, where, with which model, and what it may cost. */
export function NewRunDialog() {
  const known = overview.value;
  const [prompt, setPrompt] = useState("");
  const [workspace, setWorkspace] = useState(known?.cwd ?? "");
  const [model, setModel] = useState("");
  const [limit, setLimit] = useState("");
  const start = useCommand();
  const startProblem = known?.startProblem ?? null;
  const canStart = startProblem === null && prompt.trim() !== "" && workspace.trim() !== "" && !start.isSending;

  const submit = async () => {
    const maxCostUsd = Number.parseFloat(limit);
    const result = await start.send(() =>
      post("start", {
        prompt,
        workspace: workspace.trim(),
        ...(model.trim() === "" ? {} : { model: model.trim() }),
        ...(maxCostUsd > 0 ? { maxCostUsd } : {}),
      }),
    );
    if (result?.isDone !== true) return;
    close();
    if (result.runId !== null) navigate(`/runs/${encodeURIComponent(result.runId)}`);
  };

  return (
    <Dialog title="New run" onClose={close}>
      <DialogForm
        onSubmit={submit}
        onClose={close}
        canSubmit={canStart}
        result={start.result}
        action={
          <>
            <Icon name="play" />
            {start.isSending ? "Starting" : "Start"}
          </>
        }
      >
        {startProblem !== null && (
          <p class="notice warn" role="alert">
            <Icon name="warn" />
            {startProblem}
          </p>
        )}
        <PromptField label="What should it do?" value={prompt} onInput={setPrompt} />
        <label>
          Folder
          <input
            class="field mono"
            list="known-folders"
            required
            spellcheck={false}
            value={workspace}
            onInput={(event) => setWorkspace(event.currentTarget.value)}
          />
          <datalist id="known-folders">
            {[...new Set([known?.cwd ?? "", ...(known?.workspaces ?? [])])].map((folder) => (
              <option key={folder} value={folder} />
            ))}
          </datalist>
        </label>
        <div class="pair">
          <label>
            Model
            <input
              class="field"
              placeholder={known?.defaults.model ?? "As configured"}
              spellcheck={false}
              value={model}
              onInput={(event) => setModel(event.currentTarget.value)}
            />
          </label>
          <label>
            Limit in dollars
            <input
              class="field"
              type="number"
              min="0.01"
              step="any"
              inputmode="decimal"
              placeholder={limitHint(known?.defaults.limitUsd)}
              value={limit}
              onInput={(event) => setLimit(event.currentTarget.value)}
            />
          </label>
        </div>
      </DialogForm>
    </Dialog>
  );
}

function close(): void {
  openDialog.value = undefined;
}

/** The limit that holds if none is typed. */
function limitHint(limitUsd: number | null | undefined): string {
  if (limitUsd === undefined) return "As configured";
  return limitUsd === null ? "No limit" : limitUsd.toFixed(2);
}
