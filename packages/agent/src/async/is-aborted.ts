/**
 * Whether a signal is aborted. Node gives every signal a shape of its own, and V8 throws away the code that it has compiled for one when the signal is gone;
 * by this way it does not look at the shape.
 */
export function isAborted(signal: AbortSignal): boolean {
  return Reflect.get(signal, "aborted") === true;
}
