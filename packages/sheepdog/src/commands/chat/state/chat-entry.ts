import type { Item } from "../../../render/timeline/item.ts";
import type { CardLine } from "../cards/card.ts";

/** A finished block that is printed once: an item of a run, a call to approve, or a message of the chat itself. */
export type ChatEntry =
  | Item
  | { readonly type: "approval"; readonly title: string; readonly lines: readonly CardLine[]; readonly reason: string }
  | { readonly type: "message"; readonly tone: "plain" | "dim" | "warning"; readonly lines: readonly string[] };
