import type { Node } from "jsonc-parser";

/** How a JSON text is laid out, so that what is added looks like the rest of it. */
export interface Layout {
  readonly lineEnd: "\n" | "\r\n";
  /** One level of indentation. */
  readonly unit: string;
  /** The whole text is one line. */
  readonly isCompact: boolean;
}

/** Finds the layout of a text. */
export function layoutOf(text: string, root: Node): Layout {
  const [first] = root.children ?? [];
  const lead = first === undefined ? "" : spaceBefore(text, first.offset);
  return {
    lineEnd: /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n",
    unit: lead.includes("\n") ? indentIn(lead) : "  ",
    isCompact: first !== undefined && !text.trim().includes("\n"),
  };
}

/** The spaces and line ends directly before a position. */
export function spaceBefore(text: string, offset: number): string {
  return /[ \t\r\n]*$/.exec(text.slice(0, offset))?.[0] ?? "";
}

/** The indentation at the end of a text of spaces and line ends. */
export function indentIn(space: string): string {
  return space.slice(space.lastIndexOf("\n") + 1);
}

/** The indentation of the line at a position. */
export function indentOfLine(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}
