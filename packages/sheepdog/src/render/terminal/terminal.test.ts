import { describe, expect, test } from "vitest";
import { counted, dollars } from "./amounts.ts";
import { describeCall } from "./describe-call.ts";
import { plainLines, plainText } from "./plain-text.ts";
import { layOut } from "./table.ts";
import { cut, fit, widthOf } from "./width.ts";
import { wrap } from "./wrap.ts";

test("untrusted lines keep their ends and their indentation, and nothing else that moves the cursor", () => {
  const text = "\u001b[31mred\u001b[0m\r\n  b\tc\u0000\u202egnp\u200b\u001b]0;title\u0007x\u0085y";
  expect(plainLines(text)).toBe("red\n  b  c  gnpx y");
});

test("plain text has no sequence that moves the cursor, sets a title or changes the direction of text", () => {
  expect(plainText("\u001b[2J\u001b[31mred\u001b[0m\r\nline\u0007 \u009b31m \u202eevil")).toBe("red line evil");
});

test("width counts columns, not characters", () => {
  expect([widthOf("abc"), widthOf("羊飼い"), widthOf("🐑"), widthOf("é")]).toEqual([3, 6, 2, 1]);
  expect([widthOf("❤️"), widthOf("1️⃣"), widthOf("नि"), widthOf("ｶﾞ"), widthOf("👩‍👩‍👧"), widthOf("🇩🇪")]).toEqual([
    2, 2, 2, 2, 2, 2,
  ]); // ink counts the same
  expect([cut("羊飼い", 4), cut("abcdef", 4), cut("abc", 3)]).toEqual(["羊…", "abc…", "abc"]);
  expect([fit("a", 3), fit("a", 3, "right")]).toEqual(["a  ", "  a"]);
});

test("wrapping breaks between words, and a word longer than a line stays whole", () => {
  expect(wrap("the quick  brown fox", 10)).toEqual(["the quick", "brown fox"]);
  expect(wrap("a extraordinarily b", 6)).toEqual(["a", "extraordinarily", "b"]);
  expect(wrap("", 10)).toEqual([]);
});

describe("a table", () => {
  const columns = [
    { title: "NAME", align: "left", min: 4, shrinkPriority: 1 },
    { title: "FACT", align: "left", min: 6 },
    { title: "N", align: "right", min: 3, isOptional: true },
  ] as const;
  const rows = [["a-long-name", "matters", "12"]];

  test("uses the natural widths when they fit", () => {
    expect(layOut(columns, rows, 80)).toEqual(["NAME         FACT      N", "a-long-name  matters  12"]);
  });

  test("shrinks columns by priority, then drops optional columns", () => {
    expect(layOut(columns, rows, 18)).toEqual(["NAME   FACT      N", "a-lo…  matters  12"]);
    expect(layOut(columns, rows, 13)).toEqual(["NAME  FACT", "a-l…  matters"]);
  });
});

test("amounts are formatted for people", () => {
  expect([0, 0.0004, 0.0423, 1.999, 1234.5].map(dollars)).toEqual(["$0", "<$0.001", "$0.042", "$2.00", "$1,234.50"]);
  expect([counted(1, "call"), counted(1_200, "call")]).toEqual(["1 call", "1,200 calls"]);
});

test("a call is described by its tool and its arguments", () => {
  const described = [null, { command: "npm\ntest" }, { path: "a", line: 3 }, "raw", { ids: [1, 2] }].map((args) =>
    describeCall({ name: "t", args }),
  );
  expect(described).toEqual(["t", "t npm test", "t path=a line=3", "t raw", "t [1,2]"]);
});
