import { describe, expect, test } from "vitest";
import { fixtureText } from "../../test/fixtures/home.ts";
import { readText } from "../../test/read-text.ts";

const spool = fixtureText(".sheepdog/attach/claude-code/0b6f1a52-7c1d-4e58-9a3b-2f64d0c7e911.jsonl");
const lines = spool.trimEnd().split("\n");
const zeros = "\0".repeat(64);
const whole = await readText(spool);
/** A line of which everything behind its middle is lost. */
const torn = '{"at":1793610003002,"type":"hook","eve';

describe("zero bytes, as a power loss leaves them,", () => {
  test.each([
    ["before the first line", zeros + spool],
    ["between lines", [...lines.slice(0, 5), zeros, ...lines.slice(5), ""].join("\n")],
    ["before a line", [...lines.slice(0, 5), zeros + lines[5], ...lines.slice(6), ""].join("\n")],
    ["behind the last line", spool + zeros],
    ["in a block of 64 kB", [...lines.slice(0, 5), "\0".repeat(65_536), ...lines.slice(5), ""].join("\n")],
  ])("%s are counted, and the session is read", async (_, text) => {
    const { runs, skipped } = await readText(text);
    expect(runs.map(({ id, steps }) => [id, steps.flatMap(({ calls }) => calls).length])).toEqual(
      whole.runs.map(({ id, steps }) => [id, steps.flatMap(({ calls }) => calls).length]),
    );
    expect(skipped).toHaveLength(1);
    expect(skipped[0]?.why).toMatch(/^\d+ zero bytes, as a power loss leaves them, were left out here$/);
  });

  test("in place of the first line lose the name of the session, and nothing else", async () => {
    const text = [zeros, ...lines.slice(1), ""].join("\n");
    const { runs } = await readText(text);
    expect(runs.map(({ steps }) => steps.length)).toEqual(whole.runs.map(({ steps }) => steps.length));
  });

  test("behind a JSON document are counted, and it is read", async () => {
    const { runs, skipped } = await readText(fixtureText("exports/opencode-session.json") + zeros);
    expect([runs.length, skipped.map(({ why }) => why)]).toEqual([
      1,
      ["64 zero bytes, as a power loss leaves them, were left out here"],
    ]);
  });

  test("alone are no recording", async () => {
    expect((await readText(zeros)).skipped.map(({ why }) => why)).toEqual([
      "it is binary, not text; a recording is JSONL in UTF-8, plain or packed",
    ]);
  });
});

describe("a line that ends in the middle of a record", () => {
  const why = "a record in this line has no end; those behind it were read";

  test("does not take the next record with it", async () => {
    const text = [...lines.slice(0, 5), torn + lines[5], ...lines.slice(6), ""].join("\n");
    const { runs, skipped } = await readText(text);
    expect(runs).toEqual(whole.runs);
    expect(skipped.map((item) => [item.line, item.why])).toEqual([[6, why]]);
  });

  test("does not take the next run of a trajectory with it", async () => {
    const run = (id: string) => JSON.stringify({ id, steps: [{ text: "", calls: [{ name: "ls" }] }] });
    const { runs, skipped } = await readText(
      `${run("a")}\n${run("b").slice(0, 20)}${run("c")}${run("d")}\n${run("e")}\n`,
    );
    expect(runs.map(({ id }) => id)).toEqual(["a", "c", "d", "e"]);
    expect(skipped.map((item) => [item.line, item.why])).toEqual([[2, why]]);
  });

  test("is read whole where only the newline is missing", async () => {
    const { runs, skipped } = await readText([lines.slice(0, 7).join(""), ...lines.slice(7), ""].join("\n"));
    expect(runs[0]?.steps.length).toEqual(whole.runs[0]?.steps.length);
    expect(skipped).toEqual([]);
  });

  test("at the end of the file is reported", async () => {
    const { runs, skipped } = await readText(spool + torn);
    expect(runs).toEqual(whole.runs);
    expect(skipped.map((item) => item.why)).toEqual([expect.stringMatching(/^this is not JSON \(/)]);
  });
});
