import { expect, test } from "vitest";
import { opinionLine, parseOpinions } from "./opinion-lines.ts";

test("each line is an answer by its id; other fields and blank lines are ignored; the later answer counts", () => {
  const text = [
    '\ufeff{"id":"a-3-doom-loop","verdict":"unsure"}',
    "",
    '{"id":"b-9-cycle","verdict":"working","advice":null,"model":"m"}\r',
    '{"id":"a-3-doom-loop","verdict":"stuck","advice":"Read the error."}',
  ].join("\n");
  expect(parseOpinions(text)).toEqual({
    opinions: new Map([
      ["a-3-doom-loop", { verdict: "stuck", advice: "Read the error." }],
      ["b-9-cycle", { verdict: "working" }],
    ]),
    badLines: [],
  });
});

test.each([
  ["stuck", 'this is not JSON; a line must be like {"id": "…", "verdict": "stuck", "advice": "…"}'],
  ["[]", "this line is a list; it must be an object"],
  ['{"verdict":"stuck"}', "id is missing; it must be the id of a question, as --briefs writes it"],
  ['{"id":7,"verdict":"stuck"}', "id is a number; it must be a string"],
  ['{"id":"a"}', 'verdict is missing; it must be "stuck", "working" or "unsure"'],
  ['{"id":"a","verdict":"yes"}', 'verdict is "yes"; it must be "stuck", "working" or "unsure"'],
  ['{"id":"a","verdict":"stuck","advice":[]}', "advice is a list; it must be a string"],
])("%s is a bad line", (line, why) => {
  const { opinions, badLines } = parseOpinions(`{"id":"ok","verdict":"stuck"}\n${line}\n`);
  expect([[...opinions.keys()], badLines]).toEqual([["ok"], [{ line: 2, why }]]);
});

test("what is written can be read", () => {
  const line = opinionLine({ id: "a", verdict: "stuck", advice: "Two\nlines." });
  expect(parseOpinions(line).opinions.get("a")).toEqual({ verdict: "stuck", advice: "Two\nlines." });
});
