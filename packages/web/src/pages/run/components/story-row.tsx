import type { Row } from "../model/story.ts";
import { LookRow, NotesRow } from "./group-row.tsx";
import { ItemRow } from "./item-row.tsx";
import { LoopRow } from "./loop-row.tsx";
import type { StoryContext } from "./story-context.ts";

/** A row of the story, by its type. */
export function StoryRow({ row, context }: { readonly row: Row; readonly context: StoryContext }) {
  switch (row.type) {
    case "item":
      return <ItemRow row={row} context={context} />;
    case "look":
      return <LookRow row={row} context={context} />;
    case "notes":
      return <NotesRow row={row} context={context} />;
    case "fold":
      return <LoopRow row={row} context={context} />;
    default:
      return row satisfies never;
  }
}

/** The height of a row before it is shown, in pixels. */
export function estimatedHeight(row: Row): number {
  if (row.type === "fold") return row.calls.length >= 5 && row.steps.length > 0 ? 560 : 40;
  if (row.type !== "item") return 40;
  const { item } = row;
  if (item.type === "text") return 64 + Math.min(40, item.text.length / 90) * 22;
  if (item.type === "call" && item.call.diff !== null) return 60 + Math.min(30, item.call.diff.lines.length) * 19;
  if (item.type === "call" && item.call.isFailed) return 62;
  if (item.type === "prompt") return 90;
  return item.type === "guardian" ? 84 : 40;
}
