import type { SignalOf } from "@sheepdog/guardian";

/** A change to a running run: another limit, or a mute for the guardian. */
export type RunControl = Omit<SignalOf<"limit">, "at"> | Omit<SignalOf<"mute">, "at">;
