import { useState } from "preact/hooks";
import { post } from "../api/client.ts";
import { navigate } from "../app/router.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogForm } from "./dialog-form.tsx";
import { Icon } from "./icon.tsx";
import { PromptField } from "./prompt-field.tsx";
import { useCommand } from "./use-command.ts";

/** Asks what the copy of a session should do, starts it, and opens the new run. */
export function ForkDialog({ runId, onClose }: { readonly runId: string; readonly onClose: () => void }) {
  const [prompt, setPrompt] = useState("");
  const { isSending, result, send } = useCommand();
  const canStart = prompt.trim() !== "" && !isSending;
  const start = async () => {
    const sent = await send(() => post("fork", { prompt }, { params: { id: runId } }));
    if (sent?.isDone !== true) return;
    onClose();
    if (sent.runId !== null) navigate(`/runs/${encodeURIComponent(sent.runId)}`);
  };
  return (
    <Dialog title="Fork this run" onClose={onClose}>
      <DialogForm
        onSubmit={start}
        onClose={onClose}
        canSubmit={canStart}
        result={result}
        action={
          <>
            <Icon name="fork" />
            {isSending ? "Starting" : "Start"}
          </>
        }
      >
        <p class="muted">
          The copy begins with everything that was said in this session. The session itself stays as it is.
        </p>
        <PromptField label="What should the copy do?" value={prompt} onInput={setPrompt} />
      </DialogForm>
    </Dialog>
  );
}
