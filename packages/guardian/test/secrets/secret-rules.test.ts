import { findSecrets, redactSecrets } from "@sheepdog/guardian/secrets";
import { describe, expect, test } from "vitest";
import { secretForms } from "../../src/secrets/secret-forms.ts";
import { wordRules } from "../../src/secrets/word-rules.ts";
import { formExamples } from "./form-examples.ts";
import { madeText } from "./made-text.ts";
import { ruleExamples } from "./rule-examples.ts";

/** Texts around a secret: a sentence, a quoted text, JSON inside of JSON, a URL. */
const surroundings: readonly (readonly [before: string, after: string])[] = [
  ["", ""],
  ["The log says ", " at the end."],
  ['x("', '");'],
  ['{\\"text\\":\\"line\\n', '\\n\\"}'],
  ["https://example.org/?next=%3D", "&x=1"],
];

describe("each form", () => {
  test.each(secretForms.map(({ name }) => name))("%s has an example", (name) => {
    expect(formExamples[name]?.length).toBeGreaterThan(0);
  });

  test("has another name", () => {
    expect(new Set(secretForms.map(({ name }) => name)).size).toBe(secretForms.length);
    expect(Object.keys(formExamples).toSorted()).toEqual(secretForms.map(({ name }) => name).toSorted());
  });

  const examples = Object.entries(formExamples).flatMap(([name, patterns]) =>
    patterns.map((pattern) => [name, pattern] as const),
  );
  test.each(examples)("%s: %s is replaced wherever it stands", (_, pattern) => {
    for (const [before, after] of surroundings)
      for (const seed of [1, 2, 3]) {
        const { text, secrets } = madeText(pattern, seed);
        const redacted = redactSecrets(before + text + after);
        for (const secret of secrets) expect(redacted).not.toContain(secret);
        expect(redacted).toContain("…");
        if (!pattern.startsWith("https:")) expect(redacted).toBe(`${before}…${after}`);
      }
  });
});

describe("each rule", () => {
  test.each(wordRules.map(({ name }) => name))("%s has an example", (name) => {
    expect(ruleExamples.some(([rule]) => rule === name)).toBe(true);
  });

  test.each(ruleExamples)("%s: %s", (_, pattern, expected) => {
    const { text, secrets } = madeText(pattern);
    const redacted = redactSecrets(text);
    for (const secret of secrets) expect(redacted).not.toContain(secret);
    expect(redacted).toBe(expected);
  });

  test.each(ruleExamples)("%s: %s is the same when it is redacted again", (_, pattern) => {
    const redacted = redactSecrets(madeText(pattern).text);
    expect(redactSecrets(redacted)).toBe(redacted);
  });
});

test("the found parts are in order and do not overlap", () => {
  const text = ruleExamples.map(([, pattern]) => madeText(pattern).text).join("\n");
  const spans = findSecrets(text);
  expect(spans.length).toBeGreaterThan(50);
  spans.forEach((span, index) => {
    expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
    expect(span.end).toBeGreaterThan(span.start);
  });
});
