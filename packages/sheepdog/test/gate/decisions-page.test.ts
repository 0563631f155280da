import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../scratch-folder.ts";
import { decisionsPage, refusedByUser } from "./decisions-page.ts";
import { type Views, viewsOf } from "./shown-decision.ts";
import { tenDecisions } from "./ten-decisions.ts";

/** The option --update of vitest writes the page again. */
const page = join(import.meta.dirname, "../../../../docs/gate-decisions.md");
const file = scratchFolder();
const timeLimitMs = 60_000; // twenty runs, on a busy machine
/** Words that a sentence about a decision does not need. */
const unclearWords = /\b(?:nobody|whoever|wants?|believes?|talks?|undefined|null)\b/i;
const MAX_SENTENCE = 160;

test(
  "docs/gate-decisions.md shows what the program shows",
  async () => {
    const shown = [];
    for (const [index, decision] of tenDecisions.entries())
      shown.push({ decision, views: await viewsOf(decision, await file(`run-${index}`)) });
    expect(shown).toHaveLength(10);
    for (const { views } of shown) {
      for (const sentence of sentencesOf(views)) expectClear(sentence);
      expectSameWithUser(views);
    }
    await expect(decisionsPage(shown)).toMatchFileSnapshot(page);
  },
  timeLimitMs,
);

function sentencesOf({ question = "", results, auditLines }: Views): readonly string[] {
  const texts = [question, ...Object.values(results), ...Object.values(auditLines)];
  return texts.flatMap((text) => text.replaceAll(/\s+/g, " ").split(/(?<=[.?:]) (?=[A-Z])/));
}

function expectClear(sentence: string): void {
  expect(sentence).not.toMatch(unclearWords);
  expect(sentence.length, sentence).toBeLessThanOrEqual(MAX_SENTENCE);
}

/** A user who says no changes the result and the audit line; without a question, a user changes nothing. */
function expectSameWithUser({ question, results, auditLines }: Views): void {
  const withUser = { result: results.attended, auditLine: auditLines.attended };
  const expected = { result: results.unattended, auditLine: auditLines.unattended };
  const afterNo = { result: refusedByUser, auditLine: expect.stringMatching(/ {2}ask: no {2}.*: The user said no\.$/) };
  expect(withUser).toEqual(question === undefined ? expected : afterNo);
}
