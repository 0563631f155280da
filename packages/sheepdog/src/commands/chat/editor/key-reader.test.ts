import { describe, expect, test } from "vitest";
import type { Key, KeyName } from "./key.ts";
import { createKeyReader } from "./key-reader.ts";

/** Keys as one string: names as they are, text in quotes, pastes in angle brackets. */
const short = (keys: readonly Key[]) =>
  keys
    .map((key) => (key.type === "press" ? key.name : key.type === "text" ? `"${key.text}"` : `<${key.text}>`))
    .join(" ");
const read = (...chunks: string[]) => {
  const reader = createKeyReader();
  return short([...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.flush()]);
};

describe("a key reader", () => {
  test("reads text, Enter and control keys", () => {
    expect(read("hé🐑\r")).toBe('"hé🐑" enter');
    expect(read("\n\t\u007f\u0001\u0007\u0003")).toBe("newline tab backspace ctrl-a ctrl-g ctrl-c");
  });

  test("reads the cursor keys in all forms that terminals send", () => {
    expect(read("\u001b[A\u001bOB\u001b[1;5C\u001b[1;3D\u001b[H\u001b[4~\u001b[3~\u001b[5~")).toBe(
      "up down word-right word-left home end delete page-up",
    );
    expect(read("\u001bb\u001bf\u001b\r\u001b\u007f")).toBe("word-left word-right alt-enter alt-backspace");
    expect(read("\u001b[13;2u\u001b[13;3u\u001b[27;2;13~")).toBe("newline alt-enter newline");
  });

  test("joins sequences that arrive in pieces", () => {
    expect(read("\u001b", "[", "1;5", "C")).toBe("word-right");
    expect(read("\u001b[20", "0~a\u001b[20", "1~b")).toBe('<a> "b"');
  });

  test("reads a single Escape as the key when nothing follows", () => {
    const reader = createKeyReader();
    expect([short(reader.read("\u001b")), reader.isWaiting]).toEqual(["", true]);
    expect([short(reader.flush()), reader.isWaiting]).toEqual(["escape", false]);
    expect(read("\u001b\u001b")).toBe("escape escape");
  });

  test("returns a paste as one text, including control characters", () => {
    expect(read("\u001b[200~one\rtwo\n\u001b[A\u001b[201~\r")).toBe("<one\rtwo\n\u001b[A> enter");
  });

  test("ignores unknown sequences", () => {
    expect(read("\u001b[?1;2c\u001b[99~\u001b[<0;3;4Mx\u001bz")).toBe('"x"');
  });
});

test("Ctrl-C works even if the end marker of a paste is missing", () => {
  const reader = createKeyReader();
  expect(reader.read("\u001b[200~pasted")).toEqual([]);
  expect(reader.read("\u0003")).toEqual([
    { type: "paste", text: "pasted" },
    { type: "press", name: "ctrl-c" },
  ]);
});

test("Escape and a control key in one chunk are two keys", () => {
  const press = (name: KeyName) => ({ type: "press", name }) as const;
  expect(createKeyReader().read("\u001b\u0004\u001b\u0003")).toEqual([
    press("escape"),
    press("ctrl-d"),
    press("escape"),
    press("ctrl-c"),
  ]);
});
