import type { RefObject } from "preact";
import { Icon } from "./icon.tsx";
import { KeysHint } from "./keys-hint.tsx";

interface SendFieldProps {
  readonly label: string;
  readonly keys?: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly isEnabled: boolean;
  readonly isArmed?: boolean;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly onClose?: (() => void) | undefined;
}

/** A field with a button that sends its text; Enter sends it too. */
export function SendField({
  label,
  keys,
  field,
  text,
  isEnabled,
  isArmed = true,
  onText,
  onSend,
  onClose,
}: SendFieldProps) {
  return (
    <form
      class="grow row send-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEnabled && isArmed) onSend();
      }}
    >
      <input
        class="field"
        ref={field}
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.currentTarget.blur();
          onClose?.();
        }}
      />
      <button class="btn" type="submit" aria-label={`Send: ${label}`} disabled={!isEnabled} aria-disabled={!isArmed}>
        <Icon name="send" />
        {keys !== undefined && <KeysHint keys={keys} />}
      </button>
    </form>
  );
}
