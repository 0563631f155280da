import { expect, test } from "vitest";
import { countdown } from "./countdown.ts";

const since = new Date(2026, 10, 11, 8, 50, 18).getTime();

test("the time left counts down in minutes and seconds", () => {
  expect(countdown({ since, answerBy: since + 252_000 }, since)).toBe("4:12 left to answer");
  expect(countdown({ since, answerBy: since + 9_000 }, since)).toBe("0:09 left to answer");
  expect(countdown({ since, answerBy: since + 400 }, since)).toBe("0:01 left to answer");
});

test("more than an hour is shown without seconds", () => {
  expect(countdown({ since, answerBy: since + 3_900_000 }, since)).toBe("1 h 05 min left to answer");
});

test("after the last second the time is over", () => {
  expect(countdown({ since, answerBy: since - 5_000 }, since)).toBe("the time to answer is over");
});

test("without an end it says since when it waits", () => {
  expect(countdown({ since, answerBy: null }, since + 60_000)).toBe("waiting since 08:50");
});
