import { redactSecrets } from "@sheepdog/guardian/secrets";
import { expect, test } from "vitest";
import { gitleaksExamples, gitleaksNotCovered } from "./gitleaks-examples.ts";
import { madeText } from "./made-text.ts";

test.each(Object.entries(gitleaksExamples))("%s is covered: %s", (_, pattern) => {
  for (const seed of [1, 2, 3]) {
    const { text, secrets } = madeText(pattern, seed);
    const redacted = redactSecrets(`before ${text} after`);
    for (const secret of secrets) expect(redacted).not.toContain(secret);
    expect(redacted).toContain("…");
    expect(redacted).toMatch(/^before .* after$/s);
  }
});

test("more than 90 % of the rules are covered", () => {
  const covered = Object.keys(gitleaksExamples).length;
  expect(covered).toBeGreaterThan(200);
  expect(covered / (covered + Object.keys(gitleaksNotCovered).length)).toBeGreaterThan(0.9);
});
