import type { Row } from "./story.ts";

/** What the story is narrowed to; null for all of it. */
export type StoryFilter = "guardian" | "failures" | "edits" | null;

/** Whether a row passes the filter. */
export function isShown(row: Row, filter: StoryFilter): boolean {
  if (filter === null) return true;
  if (row.type === "fold") {
    if (filter === "guardian")
      return row.steps.length > 0 || row.calls.some(({ refusedBy }) => refusedBy === "guardian");
    if (filter === "failures") return row.calls.some(({ isFailed }) => isFailed);
    return row.calls.some(({ diff }) => diff !== null);
  }
  if (row.type !== "item") return false;
  const { item } = row;
  switch (filter) {
    case "guardian":
      if (item.type === "call") return item.call.refusedBy === "guardian";
      if (item.type === "end") return item.result.state !== "completed";
      return ["guardian", "recovered", "answer", "muted", "opinion"].includes(item.type);
    case "failures":
      if (item.type === "end") return item.result.state !== "completed";
      return (item.type === "call" && item.call.isFailed) || (item.type === "note" && item.severity !== "info");
    case "edits":
      return item.type === "call" && item.call.diff !== null;
    default:
      return filter satisfies never;
  }
}
