import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import type { CommandResult } from "../../contract/index.ts";
import { CommandNote } from "../../parts/command-note.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { useCommand } from "../../parts/use-command.ts";
import { NumberField } from "./number-field.tsx";
import { readAmount } from "./read-amount.ts";

interface PriceDialogProps {
  readonly model: string;
  readonly onClose: () => void;
  readonly onDone: (result: CommandResult) => void;
}

/** Asks for the price of a model. */
export function PriceDialog({ model, onClose, onDone }: PriceDialogProps) {
  const [input, setInput] = useState("");
  const [output, setOutput] = useState("");
  const { isSending, result, send } = useCommand();
  const inputUsd = readAmount(input);
  const outputUsd = readAmount(output);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (inputUsd === undefined || outputUsd === undefined) return;
    const outcome = await send(() => post("setPrice", { model, inputUsd, outputUsd }));
    if (outcome?.isDone === true) onDone(outcome);
  };
  return (
    <Dialog title="Set price" onClose={onClose}>
      <form onSubmit={submit}>
        <p class="muted">
          Dollars per million tokens of <code>{model}</code>. A model that runs on this machine costs 0.
        </p>
        <div class="pair">
          <NumberField label="Input" value={input} onInput={setInput} before="$" isFirst />
          <NumberField label="Output" value={output} onInput={setOutput} before="$" />
        </div>
        <footer>
          <CommandNote result={result} />
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class="btn primary"
            disabled={isSending || inputUsd === undefined || outputUsd === undefined}
          >
            Set price
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
