import { expect, test } from "vitest";
import { createCanvas, eraseSequence, terminalSize } from "./canvas.ts";

test("a drawing is erased by the rows it takes after the terminal has wrapped its lines again", () => {
  const drawn = { lines: ["a".repeat(80), "\u001b[2mshort\u001b[22m", "› prompt", "footer"], cursor: { x: 8, y: 2 } };
  expect(eraseSequence(drawn, 100)).toBe("\r\u001b[2A\u001b[J");
  expect(eraseSequence(drawn, 40)).toBe("\r\u001b[3A\u001b[J");
  expect(eraseSequence(drawn, 5)).toBe("\r\u001b[18A\u001b[J");
  expect(eraseSequence({ lines: ["one", "two"] }, 40)).toBe("\r\u001b[2A\u001b[J"); // the cursor is below the lines
  expect(eraseSequence({ lines: [] }, 40)).toBe("\r\u001b[J");
});

test("a frame reaches the terminal in one write, and not at all while the canvas is held", () => {
  const written: string[] = [];
  // The members of a terminal that ink uses.
  const terminal = {
    columns: 80,
    rows: 24,
    isTTY: true,
    write: (text: string) => written.push(text) > 0,
  } as unknown as NodeJS.WriteStream;
  const canvas = createCanvas(terminal);
  for (const chunk of ["\u001b[?2026h", "one", "two", "\u001b[?2026l", "three"]) canvas.stdout.write(chunk);
  canvas.hold();
  terminal.columns = 40;
  canvas.stdout.write("lost");
  expect([canvas.stdout.columns, canvas.stdout.isTTY]).toEqual([80, true]);
  canvas.release();
  expect(terminalSize({ ...terminal, columns: 0, rows: 0 } as NodeJS.WriteStream)).toEqual({ columns: 80, rows: 24 });
  expect([written, canvas.stdout.columns]).toEqual([["\u001b[?2026honetwo\u001b[?2026l", "three"], 40]);
});
