import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { post } from "../api/client.ts";
import { CommandNote } from "./command-note.tsx";
import { SendField } from "./send-field.tsx";
import { useCommand } from "./use-command.ts";

interface TellFieldProps {
  readonly runId: string;
  /** What the field is called: "Tell web-shop something". */
  readonly label: string;
  readonly hasFocus?: boolean;
  readonly onClose?: (() => void) | undefined;
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
    <div class="tell">
      <SendField
        label={label}
        field={field}
        text={text}
        isEnabled={!tell.isSending}
        onText={setText}
        onSend={send}
        onClose={onClose}
      />
      <CommandNote result={tell.result} />
    </div>
  );
}
