import { useRef, useState } from "preact/hooks";
import { post } from "../../../api/client.ts";
import { navigate } from "../../../app/router.tsx";
import { CommandNote } from "../../../parts/command-note.tsx";
import { SendField } from "../../../parts/send-field.tsx";
import { useCommand } from "../../../parts/use-command.ts";

/** A field that starts a new run in the session of a run that has completed. */
export function ContinueField({ runId }: { readonly runId: string }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const { isSending, result, send } = useCommand();
  const start = async () => {
    if (text.trim() === "") return;
    const sent = await send(() => post("resume", { prompt: text }, { params: { id: runId } }));
    if (sent?.isDone === true && sent.runId !== null) navigate(`/runs/${encodeURIComponent(sent.runId)}`);
  };
  return (
    <div class="tell">
      <SendField
        label="Continue this session: what should it do next?"
        field={field}
        text={text}
        isEnabled={!isSending}
        onText={setText}
        onSend={() => void start()}
      />
      <CommandNote result={result} />
    </div>
  );
}
