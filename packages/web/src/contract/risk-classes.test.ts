import { expect, test } from "vitest";
import { riskClassText } from "./risk-classes.ts";

test("a risk class has its meaning beside it", () => {
  expect(riskClassText(3)).toBe("T3: reaches beyond the workspace");
  expect(riskClassText(9)).toBe("T9");
});
