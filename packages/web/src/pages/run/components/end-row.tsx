import { CopyLine } from "../../../parts/copy-line.tsx";
import { Markdown } from "../../../parts/markdown.tsx";
import type { ItemOf } from "../model/item.ts";
import type { Row } from "../model/story.ts";
import type { StoryContext } from "./story-context.ts";
import { StoryFrame } from "./story-frame.tsx";

interface EndRowProps {
  readonly item: ItemOf<"end">;
  readonly row: Row;
  readonly context: StoryContext;
}

/** How the run ended: its summary, unless the answer just above says the same, and the command that resumes it. */
export function EndRow({ item, row, context: { detail, model, selectedKey } }: EndRowProps) {
  const { result } = item;
  const isDone = result.state === "completed";
  const lastText = model.items.findLast(({ type }) => type === "text");
  const isRepeated = lastText?.type === "text" && lastText.text.trim() === result.text.trim();
  const head = (
    <>
      <b>{isDone ? "Done" : "Ended in good order"}</b>
      <span class="faint">
        exit code {result.exitCode}, {result.reason}
      </span>
    </>
  );
  return (
    <StoryFrame
      rowKey={row.key}
      seq={row.seq}
      at={row.at}
      icon={
        isDone ? "check" : result.state === "budget_exceeded" ? "limit" : result.state === "cancelled" ? "stop" : "halt"
      }
      level={
        isDone ? "recovered" : result.state === "budget_exceeded" || result.state === "cancelled" ? undefined : "halt"
      }
      isSelected={selectedKey === row.key}
      what="the end"
      head={head}
    >
      {result.problem !== undefined && !result.text.includes(result.problem) && <p class="md">{result.problem}</p>}
      {!isRepeated && <Markdown text={result.text} />}
      {detail.run.resumeCommand !== null && !isDone && (
        <CopyLine text={detail.run.resumeCommand} name="Copy the command" />
      )}
    </StoryFrame>
  );
}
