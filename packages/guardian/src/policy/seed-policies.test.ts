import { expect, test } from "vitest";
import { bounds } from "../state/bounds.ts";
import { toolGuardrailsPolicy } from "./seed-policies.ts";

test("the largest rung of the tool guardrails is the length of the history", () => {
  expect(toolGuardrailsPolicy({ halt: bounds.history }).detectors["seed-tool-guardrails"]?.halt).toBe(bounds.history);
  expect(() => toolGuardrailsPolicy({ halt: bounds.history + 1 })).toThrow(`from 2 to ${bounds.history}`);
});
