/** Cancels a stream that nobody reads any more. */
export function letGo(stream: { cancel(): Promise<void> }): void {
  stream.cancel().catch(() => undefined); // nobody is left to tell
}
