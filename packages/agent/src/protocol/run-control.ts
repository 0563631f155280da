import type { SignalOf } from "@sheepdog/guardian";

/** A change to a running run: another limit, or a mute for the guardian that is set or lifted. */
export type RunControl = Omit<SignalOf<"limit">, "at"> | Omit<SignalOf<"mute">, "at"> | Omit<SignalOf<"unmute">, "at">;

/** What lets a run continue after a question about it: the episode is muted, or the limit raised. */
export type ControlToContinue = Exclude<RunControl, { readonly type: "unmute" }>;
