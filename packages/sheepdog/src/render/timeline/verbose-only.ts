import type { Item } from "@sheepdog/agent/timeline";

/** Whether an item is shown only with `--verbose` or `--full`. A verdict that changes nothing is one of them. */
export function isVerboseOnly(item: Item): boolean {
  if (item.type === "verdict") return item.verdict === "continue" && item.problem === undefined;
  return item.type === "thinking" || item.type === "goal";
}
