import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import type { RunRow } from "../../contract/index.ts";
import { usd } from "../../format/amounts.ts";
import type { CommandState } from "../../parts/use-command.ts";

interface RaiseFieldProps {
  readonly run: RunRow;
  readonly sent: CommandState;
  readonly onClose: () => void;
}

/** Asks for a new limit of a run that ended at its limit, and resumes it. */
export function RaiseField({ run, sent, onClose }: RaiseFieldProps) {
  const spent = run.costUsd ?? run.limitUsd ?? 0;
  const [text, setText] = useState(String(Math.ceil(Math.max(spent, run.limitUsd ?? 0) * 2)));
  const limit = Number(text);
  const isEnough = limit > spent;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const submit = async () => {
    if (!isEnough) return;
    const result = await sent.send(() => post("resume", { maxCostUsd: limit }, { params: { id: run.id } }));
    if (result?.isDone === true) onClose();
  };
  return (
    <form
      class="row raise"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label class="row">
        New limit of the run in dollars
        <input
          class="field"
          ref={field}
          type="number"
          step="any"
          inputmode="decimal"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onClose();
          }}
        />
      </label>
      <button class="btn" type="submit" disabled={!isEnough || sent.isSending}>
        Raise and resume
      </button>
      <span class="faint">{isEnough ? "" : `The run has spent ${usd(spent)}. Choose more than that.`}</span>
    </form>
  );
}
