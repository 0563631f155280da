import type { FeedItem, Sentence } from "@sheepdog/web/contract";
import type { RunData } from "../run-data/run-data.ts";

/** What is special about an item; the rest has its default. */
export interface ItemDraft
  extends Partial<Pick<FeedItem, "level" | "isApplied" | "status" | "statusText" | "costUsd" | "group">> {
  readonly kind: FeedItem["kind"];
  readonly sentence: Sentence;
  readonly detail?: Sentence;
}

/** What an item is made from. */
export interface ItemContext {
  readonly data: RunData;
  /** Whether calls were followed by another one, by the id of the intervention. */
  readonly followed: (interventionId: string) => boolean | null;
  /** The command that was shown last, so that equal ones that follow are left out. */
  lastCommand: string | undefined;
  /** Messages that an answer has told already. */
  readonly toldTexts: Set<string>;
}
