import { plainText } from "../../../render/terminal/plain-text.ts";
import { shortened } from "../../../sentences/shortened.ts";

const MAX_CHARS = 90;

/** A name from a recording, short enough for a table. */
export function nameText(name: string): string {
  return shortened(plainText(name.slice(0, 10_000)), MAX_CHARS);
}

/** A path, of which the end tells most. */
export function pathText(path: string): string {
  const text = plainText(path);
  return text.length <= MAX_CHARS ? text : `…${text.slice(1 - MAX_CHARS)}`;
}
