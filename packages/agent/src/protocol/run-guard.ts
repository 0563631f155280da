import type { CallPart, Message } from "./messages.ts";
import type { RunRef } from "./run.ts";

/** A message as a guard reads it: replies also list their calls in the form that loop guards of other systems read. */
export type GuardMessage = Message & {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[];
};

/** What a guard can inspect before the calls of a reply are executed. */
export interface GuardContext extends RunRef {
  /** The conversation, with the reply that makes the calls as its last message. */
  readonly messages: readonly GuardMessage[];
  /** The calls that are about to be executed. */
  readonly calls: readonly CallPart[];
}

/**
 * A guard inspects the run before calls are executed. If it returns a warning, no call of this reply is executed, and
 * each gets the warning as its result. A guard that throws is reported once and not asked again in this run.
 */
export interface RunGuard {
  call(context: GuardContext): string | null | undefined | Promise<string | null | undefined>;
}
