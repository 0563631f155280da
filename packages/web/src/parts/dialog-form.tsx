import type { ComponentChildren } from "preact";
import type { CommandResult } from "../contract/index.ts";
import { CommandNote } from "./command-note.tsx";

interface DialogFormProps {
  readonly onSubmit: () => unknown;
  readonly onClose: () => void;
  readonly canSubmit: boolean;
  readonly result: CommandResult | undefined;
  /** What the button that submits says. */
  readonly action: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The form of a dialog, with the result and the buttons below its fields. */
export function DialogForm({ onSubmit, onClose, canSubmit, result, action, children }: DialogFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSubmit) onSubmit();
      }}
    >
      {children}
      <footer>
        <CommandNote result={result} />
        <button class="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <button class="btn primary" type="submit" disabled={!canSubmit}>
          {action}
        </button>
      </footer>
    </form>
  );
}
