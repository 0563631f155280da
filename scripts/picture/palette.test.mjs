import { describe, expect, test } from "vitest";
import { backgrounds, palettes } from "./palette.mjs";

/** The least contrast of normal text, as WCAG 2 (level AA) asks for. */
const LEAST_CONTRAST = 4.5;

/** The brightness of `#rrggbb`, from 0 for black to 1 for white, as WCAG 2 defines it. */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test("black and white have the largest contrast", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
});

describe.for(["light", "dark"])("the %s theme", (theme) => {
  test.for(Object.entries(palettes[theme]))("%s has enough contrast", ([, colour]) => {
    expect(contrast(colour, backgrounds[theme])).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  });
});
