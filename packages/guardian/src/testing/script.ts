import type { Status } from "../perceive/print.ts";
import type { ToolKind } from "../perceive/tool-kind.ts";
import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Channel, Origin, SignalInput } from "../signal.ts";

/** A call with its result, for a test. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly result: unknown;
  readonly status: Status;
  readonly kind?: ToolKind;
  readonly key?: string;
  /** Its duration. */
  readonly ms?: number;
}

/** One step of a test script. */
export type ScriptStep =
  | { readonly type: "turn"; readonly calls: readonly ScriptedCall[] }
  | { readonly type: "says"; readonly text: string; readonly stop: "end" | "length" }
  | { readonly type: "message"; readonly origin: Origin }
  | { readonly type: "pause"; readonly ms: number }
  | { readonly type: "spend"; readonly costNanoUsd: number }
  | { readonly type: "compacted" }
  | { readonly type: "streams"; readonly channel: Channel; readonly text: string }
  | { readonly type: "signal"; readonly signal: SignalInput }
  | { readonly type: "restart" }
  | ({ readonly type: "mute" | "unmute" } & Muted);

/** What a user says is fine, or is not fine any more. */
interface Muted {
  readonly detector?: DetectorName;
  readonly tool?: string;
  readonly episode?: string;
}

/** A call that succeeds; `more` sets its kind, duration or status. */
export function call(tool: string, args: unknown, result: unknown, more: Partial<ScriptedCall> = {}): ScriptedCall {
  return { tool, args, result, status: "ok", ...more };
}

/** A call that fails. */
export function fails(tool: string, args: unknown, error: string, status: Status = "error"): ScriptedCall {
  return { tool, args, result: error, status };
}

/** One reply of the model with these calls. */
export function turn(...calls: readonly ScriptedCall[]): ScriptStep {
  return { type: "turn", calls };
}

/** A reply without calls; `length` if it was cut off. */
export function says(text: string, stop: "end" | "length" = "end"): ScriptStep {
  return { type: "says", text, stop };
}

/** A message to the agent, by default from a person. */
export function message(origin: Origin = "person"): ScriptStep {
  return { type: "message", origin };
}

/** Time passes. */
export function pause(ms: number): ScriptStep {
  return { type: "pause", ms };
}

/** The total cost of the run so far. */
export function spend(costNanoUsd: number): ScriptStep {
  return { type: "spend", costNanoUsd };
}

/** The model streams a text, a few characters at a time. */
export function streams(text: string, channel: Channel = "text"): ScriptStep {
  return { type: "streams", channel, text };
}

/** Any other signal. */
export function signal(input: SignalInput): ScriptStep {
  return { type: "signal", signal: input };
}

/** The history was compacted. */
export const compacted: ScriptStep = { type: "compacted" };

/** The process ends, and another one resumes from the saved state. */
export const restart: ScriptStep = { type: "restart" };

/** A user says that a repetition is fine. */
export function mute(what: Muted): ScriptStep {
  return { type: "mute", ...what };
}

/** A user lifts a mute. */
export function unmute(what: Muted): ScriptStep {
  return { type: "unmute", ...what };
}

/** Something that a script is made of: a call, a step, or several of them. */
type ScriptPart = ScriptedCall | ScriptStep | readonly (ScriptedCall | ScriptStep)[];

/** Repeats steps `count` times; `make` gets the number of the repetition. Each call becomes a turn of its own. */
export function times(count: number, make: (i: number) => ScriptPart): readonly ScriptStep[] {
  return Array.from({ length: count }, (_, i) => make(i)).flatMap(asTurns);
}

/** Calls and steps one after the other; each call becomes a turn of its own. */
export function asTurns(part: ScriptPart): readonly ScriptStep[] {
  const list = isList(part) ? part : [part];
  return list.map((each) => ("type" in each ? each : turn(each)));
}

function isList(part: ScriptPart): part is readonly (ScriptedCall | ScriptStep)[] {
  return Array.isArray(part);
}
