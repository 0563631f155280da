import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedact } from "./redact.ts";
import { createValueMask } from "./value-mask.ts";

const value = fc
  .string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" })
  .filter((text) => text.trim().length >= 8);

test("a value is removed in every spelling, whatever stands around it", () => {
  fc.assert(
    fc.property(value, fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), (text, before, after) => {
      const secret = text.trim();
      const { mask } = createValueMask([text]);
      const bytes = Buffer.from(before + secret + after);
      expect(mask(before + secret + after)).not.toContain(secret);
      expect(mask(JSON.stringify(before + secret + after))).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(mask(encodeURIComponent(secret))).toBe("…");
      expect(mask(new URLSearchParams({ key: secret }).toString())).toBe("key=…");
      expect(Buffer.from(mask(bytes.toString("hex")), "hex").toString()).not.toContain(secret);
      for (const encoding of ["base64", "base64url"] as const) {
        const masked = mask(bytes.toString(encoding));
        expect(masked).toContain("…");
        for (const part of masked.split("…"))
          expect(Buffer.from(part, encoding).toString()).not.toContain(secret.slice(1, -1));
      }
    }),
    { numRuns: 500 },
  );
});

test("a value of fewer than eight characters is not removed", () => {
  expect(createValueMask(["1234567", ""]).mask("1234567 tests")).toBe("1234567 tests");
});

test("values and known forms are removed together", () => {
  expect(createRedact(["quiet-shepherd"])("the quiet-shepherd has password=hunter2")).toBe("the … has password=…");
});

test.each([
  ["in a URL", "%71%75%69%65%74%2d%6b%65%79"],
  ["in a URL, in upper case", "%71%75%69%65%74%2D%6B%65%79"],
  ["in a shell or in Python", "\\x71\\x75\\x69\\x65\\x74\\x2d\\x6b\\x65\\x79"],
  ["in JSON", "\\u0071\\u0075\\u0069\\u0065\\u0074\\u002d\\u006b\\u0065\\u0079"],
])("a value with every character escaped is removed: %s", (_, text) => {
  expect(createValueMask(["quiet-key"]).mask(`a ${text} b`)).toBe("a … b");
});

test("what stands around a value stays", () => {
  const { mask } = createValueMask(["quiet-shepherd"]);
  expect(mask("/quiet-shepherd/ TOKEN=quiet-shepherd; quiet%2Dshepherds")).toBe("/…/ TOKEN=…; quiet%2Dshepherds");
});

describe("encoded data that is broken into lines", () => {
  const secret = "a1B2c3D4e5".repeat(9);
  const { mask } = createValueMask([secret]);
  const data = Buffer.from(`user:${secret}:end`);

  test.each([
    ["base64", "base64", 76, "\n"],
    ["base64 of openssl", "base64", 64, "\n"],
    ["base64 with escaped line breaks", "base64", 60, "\\n"],
    ["base64 with other line breaks", "base64", 76, "\r\n"],
    ["hex", "hex", 60, "\n"],
    ["base64 in short lines", "base64", 20, "\n"],
    ["hex in short lines", "hex", 32, "\n"],
  ] as const)("loses its secret: %s", (_, encoding, width, lineBreak) => {
    const lines = data.toString(encoding).replaceAll(new RegExp(`.{${width}}`, "g"), `$&${lineBreak}`);
    const masked = mask(`before\n${lines}\nafter`);
    expect(masked).toMatch(/^before\n.{0,12}…[\s\S]{0,12}\nafter$/);
  });

  test("stays without a secret", () => {
    const lines = Buffer.alloc(300, "x").toString("base64").replaceAll(/.{76}/g, "$&\n");
    expect(mask(lines)).toBe(lines);
  });
});
