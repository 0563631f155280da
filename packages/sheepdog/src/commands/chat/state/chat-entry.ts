import type { CallItem, Item } from "@sheepdog/agent/timeline";
import type { DiffLine } from "../../../render/diff/diff-line.ts";
import type { CardLine } from "../cards/card.ts";

/** A finished block that is printed once: an item of a run, a call to approve, or a message of the chat itself. */
export type ChatEntry =
  | Item
  /** A call that occurred several times in a row. */
  | { readonly type: "repeated"; readonly item: CallItem; readonly times: number }
  | { readonly type: "diff"; readonly title: string; readonly lines: readonly DiffLine[] }
  | { readonly type: "approval"; readonly title: string; readonly lines: readonly CardLine[]; readonly reason: string }
  | { readonly type: "message"; readonly tone: "plain" | "dim" | "warning"; readonly lines: readonly string[] };
