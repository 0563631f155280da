import type { FileChange } from "@sheepdog/agent";
import type { CallItem, Item } from "@sheepdog/agent/timeline";
import { type TextChange, textDiff } from "./text-diff.ts";

/** The item with the change that it made to a file, if it is a successful `edit` or `write`. */
export async function withDiff<Shown extends Item>(item: Shown): Promise<Shown> {
  if (item.type !== "call" || item.status !== "ok") return item;
  const change = recordedChange(item.details) ?? changeInArguments(item);
  return change === undefined ? item : { ...item, diff: await textDiff(change) };
}

/** The change that the tool has recorded in its details. */
function recordedChange(details: unknown): TextChange | undefined {
  if (!isRecord(details) || !isRecord(details["change"])) return undefined;
  const { line, before, after }: Partial<Record<keyof FileChange, unknown>> = details["change"];
  if (typeof line !== "number" || typeof before !== "string" || typeof after !== "string") return undefined;
  return { line, before, after };
}

/** What the arguments say about the change. Of a file that was replaced, they do not have the old content. */
function changeInArguments({ tool, input, content: result = "" }: CallItem): TextChange | undefined {
  if (!isRecord(input)) return undefined;
  const { old, new: added, content } = input;
  if (tool === "edit" && typeof old === "string" && typeof added === "string")
    return { line: 1, before: old, after: added };
  const isNew = tool === "write" && !result.startsWith("Replaced");
  return isNew && typeof content === "string" ? { line: 1, before: "", after: content } : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
