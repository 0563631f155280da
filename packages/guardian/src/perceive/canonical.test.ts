import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical } from "./canonical.ts";

describe("canonical", () => {
  test("keys are sorted at every depth", () => {
    expect(canonical({ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } })).toBe('{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}');
  });

  test("key order never matters, values always do", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonical(reversed)).toBe(canonical(value));
      }),
    );
    expect(canonical({ a: "1" })).not.toBe(canonical({ a: 1 }));
    expect(canonical("x".repeat(100_000))).not.toBe(canonical(`${"x".repeat(99_999)}y`));
  });

  test("cycles, getters that throw, __proto__ and odd values are survived", () => {
    const cyclic: Record<string, unknown> = { name: "a" };
    cyclic["self"] = cyclic;
    const hostile = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(canonical(cyclic)).toBe('{"name":"a","self":"<cycle>"}');
    expect(canonical(hostile)).toBe('{"x":"<unreadable>"}');
    expect(canonical(JSON.parse('{"__proto__":{"a":1},"b":2}'))).toBe('{"__proto__":{"a":1},"b":2}');
    expect(canonical([1n, Number.NaN, undefined, Symbol("s"), new Date(0)])).toBe(
      '[1n,NaN,"<undefined>","<symbol>","1970-01-01T00:00:00.000Z"]',
    );
  });

  test("a value nested ten thousand deep does not exhaust the stack", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i++) deep = { deep };
    expect(canonical(deep).length).toBeGreaterThan(500);
  });
});
