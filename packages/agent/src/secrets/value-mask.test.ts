import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedact } from "./redact.ts";
import { createValueMask } from "./value-mask.ts";

const value = fc
  .string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" })
  .filter((text) => text.trim().length >= 8);

test("a value is removed in every spelling, whatever stands around it", () => {
  fc.assert(
    fc.property(value, fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), (text, before, after) => {
      const secret = text.trim();
      const mask = createValueMask([text]);
      const bytes = Buffer.from(before + secret + after);
      expect(mask(before + secret + after)).not.toContain(secret);
      expect(mask(JSON.stringify(before + secret + after))).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(mask(encodeURIComponent(secret))).toBe("…");
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
  expect(createValueMask(["1234567", ""])("1234567 tests")).toBe("1234567 tests");
});

test("values and known forms are removed together", () => {
  expect(createRedact(["quiet-shepherd"])("the quiet-shepherd has password=hunter2")).toBe("the … has password=…");
});
