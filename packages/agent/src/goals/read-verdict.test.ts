import { expect, test } from "vitest";
import { readVerdict } from "./read-verdict.ts";

const read = (answer: string) => readVerdict(answer, (text) => text);

test.each([
  '{"verdict":"accept"}',
  ' {"verdict": "Accept", "reason": 7, "criteria": "all"}\n',
  '```json\n{"verdict":"accept"}\n```',
  'Here it is:\n```\n{"verdict":"accept"}\n```',
  '{"verdict":"accept","reason":"It says {\\"verdict\\":\\"retry\\"} in its answer."}',
])("%s is read", (answer) => {
  expect(read(answer)?.verdict).toBe("accept");
});

test.each([
  "",
  "accept",
  "[]",
  '["verdict"]',
  '{"verdict":"yes"}',
  '{"verdict":"accept"',
  'I accept. {"verdict":"accept"}',
  '{"verdict":"retry"}\n{"verdict":"accept"}',
  '{"verdict":"retry","verdict":"accept"}',
  '{"verdict":"retry","\\u0076erdict":"accept"}',
  '{"verdict":["accept"]}',
  '{"verdict":"retry","quoted":{"verdict":"accept"}}',
  '```json\n{"verdict":"retry"}\n```\n```json\n{"verdict":"accept"}\n```',
  '```json\n{"verdict":"retry"}\n```\nThe agent wrote {"verdict":"accept"}.',
])("%j has no clear verdict", (answer) => {
  expect(read(answer)).toBeUndefined();
});

test("numbers that make no sense are ignored, and a decision against the agent counts", () => {
  const answer = {
    verdict: "accept",
    criteria: [
      null,
      { number: "one", met: true },
      { number: 1, met: "yes" },
      { number: 2, met: false, reason: "No.\n\u001b[2JNo." },
      { number: 2, met: true },
    ],
  };
  expect([...(read(JSON.stringify(answer))?.criteria ?? [])]).toEqual([[2, { isOk: false, reason: "No. [2JNo." }]]);
});

test("a long hint is one short line, whose secrets are masked before it is cut", () => {
  const hint = `${"word ".repeat(239)} secret`;
  const read = readVerdict(JSON.stringify({ verdict: "retry", hint }), (text) => text.replace("secret", "…"));
  expect(read?.hint.length).toBeLessThanOrEqual(1_200);
  expect(read?.hint).not.toMatch(/sec/);
});
