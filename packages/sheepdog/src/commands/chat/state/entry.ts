import type { Item } from "../../../render/timeline/item.ts";
import type { ShownLine } from "../cards/card.ts";

/** Something that is finished and goes to the scrollback once: an item of a run, a call that is asked about, or words of the chat itself. */
export type Entry =
  | Item
  | { readonly type: "asked"; readonly title: string; readonly lines: readonly ShownLine[]; readonly reason: string }
  | { readonly type: "said"; readonly tone: "plain" | "dim" | "warning"; readonly lines: readonly string[] };
