import type { Item } from "../../../render/timeline/item.ts";
import type { CardLine } from "../cards/card.ts";

/** Something that is finished and goes to the scrollback once: an item of a run, a call that is asked about, or words of the chat itself. */
export type ChatEntry =
  | Item
  | { readonly type: "asked"; readonly title: string; readonly lines: readonly CardLine[]; readonly reason: string }
  | { readonly type: "said"; readonly tone: "plain" | "dim" | "warning"; readonly lines: readonly string[] };
