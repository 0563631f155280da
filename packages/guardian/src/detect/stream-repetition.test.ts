import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Chant, Stream } from "../state/stream.ts";
import { emptyStream, inspectStream, TAIL } from "./stream-repetition.ts";

/** Streams pieces until a chant is found; `kept` is the text without its surplus. */
function streamed(pieces: readonly string[]): {
  readonly stream: Stream;
  readonly chant?: Chant | undefined;
  readonly kept?: string;
} {
  let current = emptyStream;
  let text = "";
  for (const piece of pieces) {
    const inspected = inspectStream(current, piece);
    current = inspected.stream;
    text += piece;
    if (inspected.chant !== undefined)
      return { ...inspected, kept: text.slice(0, text.length - inspected.chant.surplus) };
  }
  return { stream: current };
}

const lead = "Some ordinary words stand here before it begins:";
/** 1,000 characters with no period of their own. */
const paragraph = Array.from({ length: 120 }, (_, i) => `${(i * 7919) % 1000} steps ago.`)
  .join(" ")
  .slice(0, 1_000);

describe("a chant", () => {
  test("is found with its period, its repetitions and its surplus", () => {
    const { chant, kept } = streamed([lead + "The the ".repeat(60)]);
    // 48 characters before it, so the look after 384 sees 336 of it.
    expect(chant).toEqual({ period: 8, repeats: 42, surplus: 58 * 8 });
    expect(kept).toBe(`${lead}The the The the `);
  });

  test("of one character is found", () => {
    expect(streamed(["a".repeat(384)]).chant).toEqual({ period: 1, repeats: 384, surplus: 382 });
  });

  test("of a thousand characters is found before its fourth repetition is complete", () => {
    expect(streamed([paragraph.repeat(4).slice(0, -1)]).chant?.period).toBe(1_000);
    expect(streamed([paragraph.repeat(4).slice(0, 3_500)]).chant).toBeUndefined();
  });

  test("of middling length is none while four of it, and half a fifth, stand there", () => {
    const unit = paragraph.slice(0, 200);
    expect(streamed([unit.repeat(5).slice(0, 900)]).chant).toBeUndefined();
    expect(streamed([unit.repeat(5)]).chant?.period).toBe(200);
  });

  test("is found although its unit repeats something inside", () => {
    const unit = "ha ha ha, said the cat; ";
    expect(streamed([lead + unit.repeat(20)]).chant?.period).toBe(unit.length);
    const deep = `${"no ".repeat(60)}and then the whole of it again. `;
    expect(streamed([lead + deep.repeat(6)]).chant?.period).toBe(deep.length);
  });

  test("in a huge delta is found once, at its beginning, and the rest is surplus", () => {
    const { chant, kept, stream } = streamed([lead + "again and ".repeat(100_000)]);
    expect(chant?.period).toBe(10);
    expect(kept).toBe(`${lead}again and again and `);
    expect(stream.tail.length).toBeLessThanOrEqual(TAIL);
  });

  test("is found again while it continues, and no more after it ended", () => {
    const { stream } = inspectStream(emptyStream, "over and ".repeat(60));
    const continued = inspectStream(stream, "over and ".repeat(10));
    expect(continued.chant?.period).toBe(9);
    expect(inspectStream(continued.stream, paragraph).chant).toBeUndefined();
  });
});

describe("patience", () => {
  const rows: readonly (readonly [what: string, unit: string, before: string, isPatient: boolean])[] = [
    ["a word", "word ", lead, false],
    ["exclamations", "!", lead, false],
    ["questions", "? ", lead, false],
    ["newlines", "\n", lead, false],
    ["escaped newlines", "\\n", lead, false],
    ["digits", "0", lead, false],
    ["numbers between spaces", "1 ", lead, false],
    ["an emoji", "🐑", lead, false],
    ["a Chinese character", "哈", lead, false],
    ["a letter at the beginning", "A", "", false],
    ["a letter after prose", "A", lead, false],
    [
      "one word a line after words one a line",
      "pear\n",
      "apple\nbanana\ncherry\ndate\nelder\nfig\ngrape\nhazel\niris\njuniper\nkiwi\nlemon\n",
      false,
    ],
    ["dashes", "-", lead, true],
    ["underscores", "_", lead, true],
    ["a table's divider", "|---", lead, true],
    ["lines of a divider", "=======\n", lead, true],
    ["lines of a divider, escaped", "=======\\n", lead, true],
    ["boxes", "─┼", lead, true],
    ["spaces", " ", lead, true],
    ["zeros in columns", "0   ", lead, true],
    ["zeros in a list", "0, ", lead, true],
    ["zeros as floats", "0.0f, ", lead, true],
    ["zeros as bytes", "0xff, ", lead, true],
    ["flags in a list", "false, ", lead, true],
    ["flags without a comma", "null ", lead, false],
    ["empty cells", '"",', lead, true],
    ["base64 padding", "A", "f0VMRgIBAQAAAAAAAAAAAAMAPgABAAAAYBAAAAAAAABAAAAAAAAAAGg5YWRkcmVzcw", true],
    [
      "hex words of zeros",
      "0000 ",
      "7f45 4c46 0201 0100 0300 3e00 0100 0000 6010 0a00 4000 cafe 6839 1fd0 0b00 ",
      true,
    ],
  ];
  test.each(rows)("with %s", (_, unit, before, isPatient) => {
    const long = (length: number): string => before + unit.repeat(Math.ceil(length / unit.length));
    expect(streamed([long(400)]).chant === undefined).toBe(isPatient);
    expect(streamed([long(2_000)]).chant === undefined).toBe(isPatient);
    expect(streamed([long(2_112)]).chant?.period).toBe(unit.length);
  });
});

describe("properties", () => {
  /** A text that may chant, and lengths to cut it by. */
  const texts = fc
    .tuple(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: "binary", minLength: 1, maxLength: 150 }),
      fc.nat(3_000),
    )
    .map(([before, unit, length]) => before + unit.repeat(Math.ceil(length / unit.length)));
  const cuts = fc
    .array(fc.nat(90), { minLength: 1, maxLength: 40 })
    .filter((lengths) => lengths.some((length) => length > 0));

  function cut(text: string, lengths: readonly number[]): readonly string[] {
    const pieces: string[] = [];
    for (let at = 0, i = 0; at < text.length; i++) {
      const length = lengths[i % lengths.length] ?? 1;
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    return pieces;
  }

  test("where a stream is cut makes no difference, not even within a surrogate pair", () => {
    fc.assert(
      fc.property(texts, cuts, (text, lengths) => {
        const whole = streamed([text]);
        const pieces = streamed(cut(text, lengths));
        expect(pieces.kept).toBe(whole.kept);
        expect(pieces.chant?.period).toBe(whole.chant?.period);
        expect(pieces.chant?.repeats).toBe(whole.chant?.repeats);
        if (whole.chant === undefined) expect(pieces.stream).toEqual(whole.stream);
      }),
    );
  });

  test("a found chant is correct: the text repeats with that period, that often, and two repetitions are left", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { chant, kept = "" } = streamed([text]);
        if (chant === undefined) return;
        const { period, repeats } = chant;
        const repeated = text.slice(kept.length - 2 * period).slice(0, Math.round(repeats * period));
        expect(repeated).toBe(repeated.slice(0, period).repeat(Math.ceil(repeats)).slice(0, repeated.length));
        expect(repeats).toBeGreaterThan(3.5);
      }),
    );
  });

  test("every chant of language is found before 400 characters or five repetitions of it are out", () => {
    const unit = fc
      .string({ unit: fc.constantFrom(..."abcdefgh ijklm é中"), minLength: 1, maxLength: 1_000, size: "max" })
      .filter((each) => /\S/.test(each));
    fc.assert(
      fc.property(unit, fc.nat(63), (each, offset) => {
        const before = "There were 12 of these. ".repeat(4).slice(-offset - 1);
        const limit = Math.max(400, 5 * each.length);
        expect(streamed([before + each.repeat(1 + limit / each.length).slice(0, limit - 1)]).chant).toBeDefined();
      }),
      { endOnFailure: true }, // to shrink a thousand characters takes minutes
    );
  });

  test("memory is bounded, state survives JSON, nothing throws", () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 20 }), (deltas) => {
        let stream = emptyStream;
        for (const delta of deltas) {
          stream = JSON.parse(JSON.stringify(inspectStream(stream, delta).stream));
          expect(stream.tail.length).toBeLessThanOrEqual(TAIL);
          expect(stream.fresh).toBeLessThan(64);
        }
      }),
    );
  });
});
