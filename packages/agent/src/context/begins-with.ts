import type { Message } from "../protocol/messages.ts";

/** Whether a list begins with the very messages of another. Only the places are compared, so that thousands cost a few microseconds. */
export function beginsWith(messages: readonly Message[], beginning: readonly Message[]): boolean {
  if (messages.length < beginning.length) return false;
  for (let index = 0; index < beginning.length; index += 1) if (messages[index] !== beginning[index]) return false;
  return true;
}
