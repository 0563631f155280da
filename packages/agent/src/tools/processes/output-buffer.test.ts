import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutputBuffer } from "./output-buffer.ts";

test("output within the limits stays as it is", () => {
  const output = createOutputBuffer({ headBytes: 4, tailBytes: 4 });
  output.add(Buffer.from("abc"));
  output.add(Buffer.from("defgh"));
  expect(output.text()).toBe("abcdefgh");
});

test("the head and tail of a long output stay, whatever the chunks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", "\n"), maxLength: 30 }), { maxLength: 30 }),
      (chunks) => {
        const output = createOutputBuffer({ headBytes: 7, tailBytes: 11 });
        for (const chunk of chunks) output.add(Buffer.from(chunk));
        const all = chunks.join("");
        expect(output.bytes).toBe(all.length);
        expect(output.text()).toBe(
          all.length <= 18
            ? all
            : `${all.slice(0, 7)}\n[… ${all.length - 18} bytes left out here …]\n${all.slice(-11)}`,
        );
      },
    ),
  );
});

test("no character is cut in half", () => {
  const output = createOutputBuffer({ headBytes: 6, tailBytes: 6 });
  output.add(Buffer.from("🐑".repeat(10)));
  expect(output.text()).toBe("🐑\n[… 28 bytes left out here …]\n🐑");
});
