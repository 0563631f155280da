import { Icon } from "../../../parts/icon.tsx";
import type { Call } from "../model/call.ts";
import { errorLine } from "../model/error-line.ts";
import type { Row } from "../model/story.ts";
import { CallOutput } from "./call-output.tsx";
import { CallStatus, kindIcons } from "./call-status.tsx";
import { ChangeCount, DiffView } from "./diff-view.tsx";
import { Fold } from "./fold.tsx";
import type { StoryContext } from "./story-context.ts";
import { StoryFrame } from "./story-frame.tsx";

interface CallRowProps {
  readonly call: Call;
  readonly row: Row;
  readonly context: StoryContext;
}

/** A call: an edit with its change, or a fold with its result. */
export function CallRow({ call, row, context }: CallRowProps) {
  const frame = { rowKey: row.key, seq: row.seq, at: row.at, isSelected: context.selectedKey === row.key };
  const level = call.refusedBy === "guardian" ? "block" : undefined;
  if (call.diff !== null && !call.isFailed) {
    const isNew = call.diff.lines.every(({ sign }) => sign === "+");
    const head = (
      <>
        <b>{isNew ? "Wrote" : "Edited"}</b>
        <code class="path">{call.diff.path}</code>
        <ChangeCount lines={call.diff.lines} />
        <span class="faint">turn {call.turn}</span>
      </>
    );
    return (
      <StoryFrame {...frame} icon="edit" what="this edit" head={head}>
        {call.diff.isCut ? (
          <CallOutput call={call} runId={context.detail.run.id} />
        ) : (
          <DiffView lines={call.diff.lines} />
        )}
      </StoryFrame>
    );
  }
  return (
    <StoryFrame
      {...frame}
      icon={level === undefined ? kindIcons[call.kind] : "block"}
      level={level}
      what={`call ${call.number}`}
    >
      <Fold
        id={row.key}
        context={context}
        summary={
          <>
            <code class="cut">{call.text}</code>
            <CallStatus call={call} />
            <span class="faint">turn {call.turn}</span>
          </>
        }
      >
        <CallOutput call={call} runId={context.detail.run.id} />
      </Fold>
      {call.isFailed && !context.isOpen(row.key, false) && errorLine(call.content) !== "" && (
        <p class="under-fold bad cut">
          <Icon name="x" />
          <code class="cut">{errorLine(call.content)}</code>
        </p>
      )}
    </StoryFrame>
  );
}
