import { expect, test } from "vitest";
import { barAt, barLabels, barName, barsSentence, dayBars } from "./day-bars.ts";

const days = (count: number, lastDay = "2026-11-11") =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.parse(lastDay) - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
    workUsd: 1,
    loopUsd: 0.5,
  }));

test("a month and a quarter have a bar a day", () => {
  expect(dayBars(days(2))).toEqual([
    { first: "2026-11-10", last: "2026-11-10", workUsd: 1, loopUsd: 0.5 },
    { first: "2026-11-11", last: "2026-11-11", workUsd: 1, loopUsd: 0.5 },
  ]);
  expect(dayBars(days(91))).toHaveLength(91);
});

test("a year has a bar a week, counted back from the last day", () => {
  const bars = dayBars(days(365));
  expect(bars).toHaveLength(53);
  expect(bars.at(-1)).toEqual({ first: "2026-11-05", last: "2026-11-11", workUsd: 7, loopUsd: 3.5 });
  expect(bars[0]).toMatchObject({ first: "2025-11-12", last: "2025-11-12", workUsd: 1 });
});

test("labels name the month where it changes and the last day", () => {
  expect(barLabels(dayBars(days(30)), "2026-11-11").map(({ text }) => text)).toEqual([
    "17 Oct",
    "22",
    "27",
    "1 Nov",
    "6",
    "today",
  ]);
});

test("a time falls into the bar of its UTC day", () => {
  const bars = dayBars(days(30));
  expect(barAt(bars, Date.parse("2026-11-10T23:59:00Z"))).toBe(28);
  expect(barAt(bars, Date.parse("2026-01-01T00:00:00Z"))).toBeUndefined();
});

test("a bar is named after its day or its week", () => {
  const name = (first: string, last: string) => barName({ first, last, workUsd: 0, loopUsd: 0 }, "2026-11-11");
  expect([
    name("2026-11-10", "2026-11-10"),
    name("2026-11-11", "2026-11-11"),
    name("2026-10-29", "2026-11-04"),
  ]).toEqual(["Tue 10 Nov", "today", "29 Oct to 4 Nov"]);
});

test("the sentence says what the chart shows", () => {
  const [before, last] = days(2);
  const bars = dayBars([before, { ...last, loopUsd: 37 }].flatMap((day) => (day === undefined ? [] : [day as never])));
  expect(barsSentence(bars, "2026-11-11", 60)).toBe(
    "Spent a day: $39.50 in all, $37.50 of it in loops. " +
      "The dearest day is today with $38.00, $37.00 in loops. The limit of a day is $60.00.",
  );
  expect(barsSentence([], "2026-11-11", null)).toBe("Nothing was spent in this time.");
});
