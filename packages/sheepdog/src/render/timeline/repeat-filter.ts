import type { Item } from "@sheepdog/agent/timeline";

/**
 * Returns a filter that hides repeated messages of the guardian until the run has recovered. After a block, it also
 * hides further refusals of that kind: the refused call already shows them.
 */
export function createRepeatFilter(): (item: Item) => boolean {
  const shown = new Set<string>();
  return (item) => {
    if (item.type === "recovered") shown.clear();
    if (item.type !== "guardian") return true;
    const { detector, level, message, denies } = item.intervention;
    const kindKey = `${detector} ${level}`;
    const messageKey = `${kindKey} ${message}`;
    const isNew = !shown.has(messageKey) && !(denies !== undefined && shown.has(kindKey));
    shown.add(messageKey).add(kindKey);
    return isNew;
  };
}
