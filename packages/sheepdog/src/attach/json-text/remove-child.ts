import type { Node } from "jsonc-parser";
import { spaceBefore } from "./layout.ts";
import { withoutComments } from "./without-comments.ts";

/** Removes a child of an array or object, with one comma. Comments around it stay; `{}` remains of an empty one. */
export function removeChild(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const previous = children[children.indexOf(child) - 1];
  const start = child.offset - spaceBefore(text, child.offset).length;
  const end = child.offset + child.length;
  const close = container.offset + container.length - 1;
  const after = commaFrom(text, end, close);
  if (after !== undefined) return text.slice(0, start) + text.slice(end, after) + text.slice(after + 1);
  const before = previous && commaFrom(text, previous.offset + previous.length, start);
  if (before === undefined) {
    const isEmpty = start === container.offset + 1 && text.slice(end, close).trim() === "";
    return text.slice(0, start) + text.slice(isEmpty ? close : end);
  }
  return text.slice(0, before) + text.slice(before + 1, start) + text.slice(end);
}

/** The next comma that is not part of a comment, if it comes before anything else. */
function commaFrom(text: string, start: number, end: number): number | undefined {
  const spaces = /^\s*(?=,)/.exec(withoutComments(text.slice(start, end)))?.[0];
  return spaces === undefined ? undefined : start + spaces.length;
}
