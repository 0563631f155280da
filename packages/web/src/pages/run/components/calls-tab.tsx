import { useMemo } from "preact/hooks";
import { Icon } from "../../../parts/icon.tsx";
import type { Call } from "../model/call.ts";
import { timeText } from "../model/time-text.ts";
import { Anchor } from "./anchor.tsx";
import { CallOutput } from "./call-output.tsx";
import { CallStatus, kindIcons } from "./call-status.tsx";
import { Fold } from "./fold.tsx";
import { LongList } from "./long-list.tsx";
import type { StoryContext } from "./story-context.ts";

interface CallsTabProps {
  readonly calls: readonly Call[];
  readonly version: number;
  readonly context: StoryContext;
  readonly target: { readonly key: string } | null;
}

/** Every call on one line. */
export function CallsTab({ calls, version, context, target }: CallsTabProps) {
  const rows = useMemo(() => calls.slice(), [version]);
  const targetRow = useMemo(() => {
    const seq = context.selectedSeq;
    return target === null ? null : { index: rows.findIndex((call) => call.seq === seq || call.endSeq === seq) };
  }, [target]);
  if (rows.length === 0) return <p class="empty">No call yet.</p>;
  return (
    <LongList
      class="lines"
      label="Calls"
      rows={rows}
      keyOf={({ callId }) => callId}
      estimate={() => 33}
      render={(call) => <CallLine key={call.callId} call={call} context={context} />}
      target={targetRow}
    />
  );
}

function CallLine({ call, context }: { readonly call: Call; readonly context: StoryContext }) {
  const isSelected = context.selectedSeq === call.seq || context.selectedSeq === call.endSeq;
  return (
    <li class={isSelected ? "sel" : ""} data-key={call.callId}>
      <Fold
        id={`call ${call.callId}`}
        context={context}
        summary={
          <>
            <time class="faint num">{timeText(call.at, true)}</time>
            <span class="faint num number">{call.number}</span>
            <Icon name={kindIcons[call.kind]} class="faint" />
            <code class="cut grow">{call.text}</code>
            <CallStatus call={call} />
          </>
        }
      >
        <CallOutput call={call} runId={context.detail.run.id} />
      </Fold>
      <Anchor seq={call.seq} what={`call ${call.number}`} />
    </li>
  );
}
