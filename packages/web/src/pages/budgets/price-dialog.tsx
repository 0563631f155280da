import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import type { CommandResult } from "../../contract/index.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
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
  const submit = async () => {
    if (inputUsd === undefined || outputUsd === undefined) return;
    const outcome = await send(() => post("setPrice", { model, inputUsd, outputUsd }));
    if (outcome?.isDone === true) onDone(outcome);
  };
  return (
    <Dialog title="Set price" onClose={onClose}>
      <DialogForm
        onSubmit={submit}
        onClose={onClose}
        canSubmit={!isSending && inputUsd !== undefined && outputUsd !== undefined}
        result={result}
        action="Set price"
      >
        <p class="muted">
          Dollars per million tokens of <code>{model}</code>. A model that runs on this machine costs 0.
        </p>
        <div class="pair">
          <NumberField label="Input" value={input} onInput={setInput} before="$" isFirst />
          <NumberField label="Output" value={output} onInput={setOutput} before="$" />
        </div>
      </DialogForm>
    </Dialog>
  );
}
