import { describe, expect, test } from "vitest";
import { type Edit, type Editor, edit, editorWith, emptyEditor, insert, moveLine } from "./editor.ts";

const after = (text: string, ...edits: Edit[]): Editor => edits.reduce(edit, editorWith(text));
/** The text with a bar where the cursor is. */
const shown = ({ text, cursor }: Editor) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe("an editor", () => {
  test("inserts text at the cursor", () => {
    expect(shown(insert(after("ac", "left"), "b"))).toBe("ab|c");
    expect(insert(emptyEditor, "x".repeat(300_000)).text.length).toBe(200_000);
  });

  test("never puts the cursor inside a character", () => {
    expect(shown(after("a👩‍👩‍👧", "left"))).toBe("a|👩‍👩‍👧");
    expect(shown(after("a👩‍👩‍👧b", "left", "backspace"))).toBe("a|b");
    expect(shown(after("e\u0301x", "left", "left", "delete"))).toBe("|x");
  });

  test("moves and deletes by words and to the ends of a line", () => {
    expect(shown(after("git commit -m", "word-left"))).toBe("git commit |-m");
    expect(shown(after("git commit", "word-left", "word-left", "word-right"))).toBe("git| commit");
    expect(shown(after("git commit ", "delete-word"))).toBe("git |");
    expect(shown(after("one\ntwo", "left", "delete-to-start"))).toBe("one\n|o");
    expect(shown(after("one\ntwo", "line-start", "delete-to-end"))).toBe("one\n|");
    expect(shown(after("one\ntwo", "line-start", "left", "line-start", "line-end"))).toBe("one|\ntwo");
    expect(shown(after("one\ntwo", "line-start", "left", "delete-to-end"))).toBe("one|two");
  });

  test("does not move beyond the text", () => {
    for (const how of ["left", "word-left", "backspace", "delete", "delete-word", "right", "word-right"] as const)
      expect(edit(emptyEditor, how)).toEqual(emptyEditor);
  });

  test("moves up and down by lines, and returns undefined when there is no line", () => {
    const editor = editorWith("first line\nno\nthird line");
    const up = moveLine(editor, -1) ?? emptyEditor;
    expect(shown(up)).toBe("first line\nno|\nthird line");
    expect(shown(moveLine(up, -1) ?? emptyEditor)).toBe("fi|rst line\nno\nthird line");
    expect([moveLine(editor, 1), moveLine(editorWith("one"), -1)]).toEqual([undefined, undefined]);
    expect(shown(moveLine({ text: "a\n👩‍👩‍👧", cursor: 1 }, 1) ?? emptyEditor)).toBe("a\n|👩‍👩‍👧");
  });
});
