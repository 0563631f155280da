import type { CallItem } from "@sheepdog/agent/timeline";
import type { Style } from "../terminal/style.ts";
import type { Marks } from "./marks.ts";

/** How items are formatted. */
export interface ItemLineOptions {
  readonly style: Style;
  /** In columns. */
  readonly width: number;
  /** Shows everything: thinking, more output, and the calls that an intervention is about. */
  readonly verbose?: boolean;
  /** Defaults to the Unicode marks. */
  readonly marks?: Marks;
  /** Looks up a call of the session by its index, to describe the evidence. */
  readonly callAt?: (index: number) => Pick<CallItem, "tool" | "input"> | undefined;
}
