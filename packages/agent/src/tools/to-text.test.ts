import fc from "fast-check";
import { expect, test } from "vitest";
import { plainData } from "./plain-data.ts";
import { thrownText, toText } from "./to-text.ts";

const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error("get");
    },
    ownKeys: () => {
      throw new Error("keys");
    },
    getPrototypeOf: () => {
      throw new Error("prototype");
    },
  },
);

test("values that JSON cannot represent become readable text", () => {
  const cycle: Record<string, unknown> = {
    big: 10n,
    when: new Date(0),
    map: new Map([["a", 1]]),
    set: new Set([Number.NaN]),
    symbol: Symbol("s"),
    run: () => 1,
  };
  cycle["self"] = cycle;
  Object.defineProperty(cycle, "trap", {
    enumerable: true,
    get: () => {
      throw new Error("no");
    },
  });
  expect(plainData(cycle)).toEqual({
    big: "10",
    when: "1970-01-01T00:00:00.000Z",
    map: [["a", 1]],
    set: ["NaN"],
    symbol: "Symbol(s)",
    run: "[function]",
    self: "[circular reference]",
    trap: "[unreadable]",
  });
});

test("the same object twice is not a cycle", () => {
  const shared = { a: 1 };
  expect(plainData([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
});

test("a million keys, a deep nest and a proxy of proxies are bounded", () => {
  expect(toText(Object.fromEntries(Array.from({ length: 1_000_000 }, (_, i) => [`k${i}`, i]))).length).toBeLessThan(
    200_000,
  );
  let deep: unknown = 1;
  for (let i = 0; i < 10_000; i++) deep = [deep];
  expect(toText(deep)).toContain("too deep");
  const endless: object = new Proxy(
    {},
    {
      get: () => endless,
      ownKeys: () => ["a", "b"],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
  expect(toText(endless).length).toBeLessThan(1_000_000);
});

test("a field named __proto__ stays a field", () => {
  const data = plainData(JSON.parse('{"__proto__":{"polluted":true}}'));
  expect(JSON.stringify(data)).toBe('{"__proto__":{"polluted":true}}');
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined(); // any object would show it
});

test("every thrown value has a readable reason", () => {
  expect(thrownText(undefined)).toBe("it gave no reason (it threw undefined)");
  expect(thrownText("disk on fire")).toBe("disk on fire");
  expect(thrownText(new Error("broken"))).toBe("broken");
  expect(thrownText({ code: 7 })).toBe('{"code":7}');
  expect(thrownText(hostile)).toBe("[unreadable]");
});

test("no value makes it throw", () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      (value) => typeof toText(value) === "string",
    ),
  );
});
