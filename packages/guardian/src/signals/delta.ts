import { emptyStream, inspectStream } from "../detect/stream-repetition.ts";
import type { SignalOf } from "../signal.ts";
import { onStreamActivity } from "../state/clock.ts";
import type { StepContext } from "../state/step-context.ts";

/** A part of a reply was streamed. After a chant, the rest of the stream is not inspected. */
export function onDelta({ policy, state }: StepContext, { channel, text }: SignalOf<"delta">): void {
  onStreamActivity(state, channel, policy.stallMs);
  if (state.chant !== undefined) return;
  const { stream, chant } = inspectStream(state.streams[channel] ?? emptyStream, text);
  state.streams[channel] = stream;
  if (chant === undefined) return;
  state.chant = chant;
  state.chantCount++;
}
