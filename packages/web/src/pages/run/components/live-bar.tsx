import { useState } from "preact/hooks";
import { post } from "../../../api/client.ts";
import { Link } from "../../../app/router.tsx";
import type { RunDetail } from "../../../contract/index.ts";
import { CommandNote } from "../../../parts/command-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { useCommand } from "../../../parts/use-command.ts";

/** For a live run: what it asks the user, and a field to tell the agent something. */
export function LiveBar({ detail }: { readonly detail: RunDetail }) {
  const { run, accepts } = detail;
  const [text, setText] = useState("");
  const { isSending, result, send } = useCommand();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    const sent = await send(() => post("command", { type: "steer", text }, { params: { id: run.id } }));
    if (sent?.isDone) setText("");
  };
  const canSteer = accepts.includes("steer");
  if (run.waitsFor === null && !canSteer) return null;
  return (
    <div class="live-bar">
      {run.waitsFor !== null && (
        <div class="panel asks warn">
          <Icon name="person" />
          <p class="grow">{waitTexts[run.waitsFor]}</p>
          <Link class="btn primary" href="/feed">
            Answer
          </Link>
        </div>
      )}
      {canSteer && (
        <form class="steer" onSubmit={(event) => void submit(event)}>
          <label class="vh" for="steer">
            Tell the agent something
          </label>
          <input
            id="steer"
            class="field"
            value={text}
            autoComplete="off"
            placeholder="Tell the agent something. It reads it after this turn."
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <button type="submit" class="btn" disabled={isSending || text.trim() === ""}>
            <Icon name="send" />
            Send
          </button>
          <CommandNote result={result} />
        </form>
      )}
    </div>
  );
}

const waitTexts = {
  question: "The guardian asks you how this run continues.",
  approval: "A call waits for your approval.",
  reply: "The agent asks you something.",
} as const;
