import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { post } from "../api/client.ts";
import { CommandNote } from "./command-note.tsx";
import { Icon } from "./icon.tsx";
import { useCommand } from "./use-command.ts";

interface TellFieldProps {
  readonly runId: string;
  /** What the field is called: "Tell web-shop something". */
  readonly label: string;
  readonly hasFocus?: boolean;
  readonly onClose?: () => void;
}

/** A field that tells a live run something. The result stands below it. */
export function TellField({ runId, label, hasFocus = false, onClose }: TellFieldProps) {
  const [text, setText] = useState("");
  const tell = useCommand();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (hasFocus) field.current?.focus();
  }, [hasFocus]);
  const send = async () => {
    if (text.trim() === "") return;
    const result = await tell.send(() => post("command", { type: "steer", text }, { params: { id: runId } }));
    if (result?.isDone === true) setText("");
  };
  return (
    <form
      class="tell"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="row">
        <input
          class="field"
          ref={field}
          aria-label={label}
          placeholder={label}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onClose?.();
          }}
        />
        <button class="btn icon" type="submit" aria-label="Send" disabled={tell.isSending}>
          <Icon name="send" />
        </button>
      </div>
      <CommandNote result={tell.result} />
    </form>
  );
}
