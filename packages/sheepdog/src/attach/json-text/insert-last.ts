import type { Node } from "jsonc-parser";
import { indentIn, indentOfLine, type Layout, spaceBefore } from "./layout.ts";
import { withoutComments } from "./without-comments.ts";

/** What is added to an array, or with a key to an object. */
export interface NewChild {
  readonly key?: string;
  readonly value: unknown;
  /** Each property of the value gets a line of its own; else the value is one line. */
  readonly isExpanded?: true;
}

/** Adds a child behind the others of an array or object. Nothing else of the text changes. */
export function insertLast(text: string, container: Node, child: NewChild, layout: Layout): string {
  const last = container.children?.at(-1);
  return last === undefined
    ? insertOnly(text, container, child, layout)
    : insertAfter(text, { container, last }, child, layout);
}

function insertOnly(text: string, container: Node, child: NewChild, layout: Layout): string {
  const [open, close] = [container.offset + 1, container.offset + container.length - 1];
  const comments = text.slice(open, close).trimEnd();
  const at = open + comments.length;
  if (layout.isCompact) return text.slice(0, at) + compact(child) + text.slice(at);
  const indent = indentOfLine(text, container.offset);
  const space = text.slice(at, close);
  const end = space.includes("\n") ? space : layout.lineEnd + indent;
  const added = layout.lineEnd + indent + layout.unit + pretty(child, indent + layout.unit, layout);
  return text.slice(0, at) + added + end + text.slice(close);
}

function insertAfter(
  text: string,
  { container, last }: { readonly container: Node; readonly last: Node },
  child: NewChild,
  layout: Layout,
): string {
  const end = last.offset + last.length;
  const { comma, lineEnd } = behind(text, end, container.offset + container.length - 1);
  const at = Math.max(lineEnd, comma === undefined ? end : comma + 1);
  const added = isLineComment(text.slice(end, at))
    ? onNextLine(text, end, child, layout)
    : separated(text, { container, last }, child, layout);
  return comma === undefined
    ? `${text.slice(0, end)},${text.slice(end, at)}${added}${text.slice(at)}`
    : `${text.slice(0, at)}${added},${text.slice(at)}`;
}

/** Whether what follows on the same line would be a part of a comment. */
function isLineComment(text: string): boolean {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").includes("//") && !text.endsWith("\n");
}

function onNextLine(text: string, end: number, child: NewChild, layout: Layout): string {
  const indent = indentOfLine(text, end);
  return layout.lineEnd + indent + pretty(child, indent, layout);
}

function separated(
  text: string,
  { container, last }: { readonly container: Node; readonly last: Node },
  child: NewChild,
  layout: Layout,
): string {
  const space = spaceBefore(text, last.offset);
  if (space.includes("\n")) {
    const indent = indentIn(space);
    return layout.lineEnd + indent + pretty(child, indent, layout);
  }
  const content = text.slice(container.offset, container.offset + container.length);
  if (!content.includes("\n")) return (/[,:] /.test(content) ? " " : "") + compact(child);
  return ` ${pretty(child, indentOfLine(text, last.offset + last.length), layout)}`;
}

/** Commas and comments that follow on the same line. A comment may end on a later one. */
const restOfLine = /^(?:[ \t,]*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/))*/;

/** A trailing comma behind the last child, and the end of the comments that begin on its line. */
function behind(text: string, start: number, close: number): { readonly comma?: number; readonly lineEnd: number } {
  const rest = text.slice(start, close);
  const lineEnd = start + (restOfLine.exec(rest)?.[0].length ?? 0);
  const comma = withoutComments(rest).indexOf(",");
  return comma < 0 ? { lineEnd } : { comma: start + comma, lineEnd };
}

function compact({ key, value }: NewChild): string {
  return (key === undefined ? "" : `${JSON.stringify(key)}:`) + JSON.stringify(value);
}

function pretty({ key, value, isExpanded }: NewChild, indent: string, { unit, lineEnd }: Layout): string {
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  if (isExpanded !== true || typeof value !== "object" || value === null) return name + oneLine(value);
  const lines = Object.entries(value).map(
    ([inner, each]) => `${indent}${unit}${JSON.stringify(inner)}: ${oneLine(each)}`,
  );
  return `${name}{${lineEnd}${lines.join(`,${lineEnd}`)}${lineEnd}${indent}}`;
}

/** A value on one line, with spaces as people write them. */
export function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const properties = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${oneLine(each)}`);
  return properties.length === 0 ? "{}" : `{ ${properties.join(", ")} }`;
}
