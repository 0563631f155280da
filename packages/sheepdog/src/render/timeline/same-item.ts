import type { CallItem, Item } from "@sheepdog/agent/timeline";

/** Whether two items look the same to a reader: equal calls and results, notes or texts. Digits may differ. */
export function isSameItem(one: Item, other: Item): boolean {
  if (one.type === "call" && other.type === "call") return isSameCall(one, other);
  if (one.type === "note" && other.type === "note")
    return one.severity === other.severity && withoutDigits(topicOf(one)) === withoutDigits(topicOf(other));
  return one.type === "text" && other.type === "text" && one.text === other.text;
}

function topicOf({ topic, text }: Extract<Item, { type: "note" }>): string {
  return topic ?? text;
}

function isSameCall(one: CallItem, other: CallItem): boolean {
  return (
    one.tool === other.tool &&
    one.status === other.status &&
    one.blockedBy === other.blockedBy &&
    JSON.stringify(one.input) === JSON.stringify(other.input) &&
    withoutDigits(one.content ?? "") === withoutDigits(other.content ?? "")
  );
}

/** Times, sizes and counters change from one result to the next, although nothing else does. */
function withoutDigits(text: string): string {
  return text.replace(/\d+/g, "0");
}
