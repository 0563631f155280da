import { useState } from "preact/hooks";
import { post } from "../api/client.ts";
import { navigate } from "../app/router.tsx";
import { CommandNote } from "./command-note.tsx";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";
import { useCommand } from "./use-command.ts";

/** Asks what the copy of a session should do, starts it, and opens the new run. */
export function ForkDialog({ runId, onClose }: { readonly runId: string; readonly onClose: () => void }) {
  const [prompt, setPrompt] = useState("");
  const { isSending, result, send } = useCommand();
  const canStart = prompt.trim() !== "" && !isSending;
  const start = async () => {
    if (!canStart) return;
    const sent = await send(() => post("fork", { prompt }, { params: { id: runId } }));
    if (sent?.isDone !== true) return;
    onClose();
    if (sent.runId !== null) navigate(`/runs/${encodeURIComponent(sent.runId)}`);
  };
  return (
    <Dialog title="Fork this run" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <p class="muted">
          The copy begins with everything that was said in this session. The session itself stays as it is.
        </p>
        <label>
          What should the copy do?
          <textarea
            class="field area"
            rows={4}
            required
            value={prompt}
            onInput={(event) => setPrompt(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void start();
            }}
          />
        </label>
        <footer>
          <CommandNote result={result} />
          <span class="grow" />
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn primary" type="submit" disabled={!canStart}>
            <Icon name="fork" />
            {isSending ? "Starting" : "Start"}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
