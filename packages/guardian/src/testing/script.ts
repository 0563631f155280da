import type { SignalInput } from "../guardian.ts";
import type { DetectorName } from "../policy.ts";
import type { Channel, Origin, Status, ToolKind } from "../signal.ts";

/** A call with its result, written down for a test. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly result: unknown;
  readonly status: Status;
  readonly kind?: ToolKind;
  readonly key?: string;
  /** How long it takes. */
  readonly ms?: number;
}

/** What happens to a guardian in a test, one line each. */
export type Happening =
  | { readonly type: "turn"; readonly calls: readonly ScriptedCall[] }
  | { readonly type: "says"; readonly text: string; readonly stop: "end" | "length" }
  | { readonly type: "message"; readonly origin: Origin }
  | { readonly type: "pause"; readonly ms: number }
  | { readonly type: "spend"; readonly costNanoUsd: number }
  | { readonly type: "compacted" }
  | { readonly type: "streams"; readonly channel: Channel; readonly text: string }
  | { readonly type: "told"; readonly signal: SignalInput }
  | { readonly type: "restart" }
  | { readonly type: "mute"; readonly detector?: DetectorName; readonly tool?: string };

/** A call that succeeds; `more` gives it a kind, a duration, a status. */
export function call(tool: string, args: unknown, result: unknown, more: Partial<ScriptedCall> = {}): ScriptedCall {
  return { tool, args, result, status: "ok", ...more };
}

/** A call that fails. */
export function fails(tool: string, args: unknown, error: string, status: Status = "error"): ScriptedCall {
  return { tool, args, result: error, status };
}

/** One model reply that makes these calls at once. */
export function turn(...calls: readonly ScriptedCall[]): Happening {
  return { type: "turn", calls };
}

/** A reply that makes no call; `length` where it was cut off. */
export function says(text: string, stop: "end" | "length" = "end"): Happening {
  return { type: "says", text, stop };
}

/** A message to the agent; a person's unless said otherwise. */
export function message(origin: Origin = "person"): Happening {
  return { type: "message", origin };
}

/** Time goes by. */
export function pause(ms: number): Happening {
  return { type: "pause", ms };
}

/** The run has cost this much in all. */
export function spend(costNanoUsd: number): Happening {
  return { type: "spend", costNanoUsd };
}

/** The model streams a text, a few characters at a time. */
export function streams(text: string, channel: Channel = "text"): Happening {
  return { type: "streams", channel, text };
}

/** Any other signal, a millisecond later. */
export function told(signal: SignalInput): Happening {
  return { type: "told", signal };
}

/** The history was compacted. */
export const compacted: Happening = { type: "compacted" };

/** The process ended and another goes on from the saved state. */
export const restart: Happening = { type: "restart" };

/** A person says: this is fine. */
export function mute(what: { readonly detector?: DetectorName; readonly tool?: string }): Happening {
  return { type: "mute", ...what };
}

/** The same thing `count` times; what is made may depend on how often. Calls become turns of their own. */
export function times(
  count: number,
  make: (i: number) => ScriptedCall | Happening | readonly (ScriptedCall | Happening)[],
): readonly Happening[] {
  return Array.from({ length: count }, (_, i) => make(i)).flatMap((made) => inTurn(made));
}

/** Calls and happenings one after the other: each call a turn of its own. */
export function inTurn(made: ScriptedCall | Happening | readonly (ScriptedCall | Happening)[]): readonly Happening[] {
  const list = isList(made) ? made : [made];
  return list.map((each) => ("type" in each ? each : turn(each)));
}

function isList(
  made: ScriptedCall | Happening | readonly (ScriptedCall | Happening)[],
): made is readonly (ScriptedCall | Happening)[] {
  return Array.isArray(made);
}
