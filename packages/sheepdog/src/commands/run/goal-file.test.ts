import { chmod, mkdir, truncate } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { readGoalFile } from "./goal-file.ts";

const file = scratchFolder();

async function goal(toml: string | Uint8Array): Promise<unknown> {
  return readGoalFile(await file("goal.toml", toml), "goal.toml");
}

async function problems(toml: string | Uint8Array): Promise<readonly string[]> {
  const read = await readGoalFile(await file("goal.toml", toml), "goal.toml");
  return "problems" in read ? read.problems.map((problem) => problem.replace(/^goal\.toml:/, "")) : [];
}

const whole = `
text = "All tests pass and the README explains the new flag."
threshold = 0.9            # default 1

[[criteria]]
contains = "42"
ignore_case = true
weight = 2

[[criteria]]
equals = "42"

[[criteria]]
check = "npm test"
timeout_secs = 300

[[criteria]]
judged = "The README explains the new flag."

[[constraints]]
must = "Change nothing outside src."
only_files = ["src/**"]

[[constraints]]
must = "Say no names."
output_excludes = "Rex"
ignore_case = true

[[constraints]]
must = "The lint is clean."
check = "npm run lint"
timeout_secs = 20

[[constraints]]
should = "Use no shell."
forbidden_tools = ["bash"]

[[constraints]]
should = "Be brief."
max_turns = 5

[[constraints]]
should = "Be quick."
max_seconds = 1.5

[[constraints]]
should = "Be cheap."
max_cost_cents = 50

[[constraints]]
should = "Keep the public API."
`;

test("a goal file has a text, a threshold, criteria and constraints of every kind", async () => {
  expect(await goal(whole)).toEqual({
    text: "All tests pass and the README explains the new flag.",
    threshold: 0.9,
    criteria: [
      { type: "OutputContains", text: "42", ignoreCase: true, weight: 2 },
      { type: "OutputEquals", text: "42" },
      { type: "Command", command: "npm test", timeoutSecs: 300 },
      { type: "LlmJudge", text: "The README explains the new flag." },
    ],
    constraints: [
      { level: "must", text: "Change nothing outside src.", rule: { type: "OnlyFiles", files: ["src/**"] } },
      { level: "must", text: "Say no names.", rule: { type: "OutputExcludes", text: "Rex", ignoreCase: true } },
      {
        level: "must",
        text: "The lint is clean.",
        rule: { type: "Command", command: "npm run lint", timeoutSecs: 20 },
      },
      { level: "should", text: "Use no shell.", rule: { type: "ForbiddenTools", tools: ["bash"] } },
      { level: "should", text: "Be brief.", rule: { type: "MaxTurns", turns: 5 } },
      { level: "should", text: "Be quick.", rule: { type: "MaxSeconds", seconds: 1.5 } },
      { level: "should", text: "Be cheap.", rule: { type: "MaxCost", cents: 50 } },
      { level: "should", text: "Keep the public API." },
    ],
  });
});

test("variables of the environment are not expanded", async () => {
  const variable = "$" + "{HOME}";
  expect(await goal(`text = '${variable} stays'\n[[criteria]]\ncheck = 'test -d "${variable}"'`)).toEqual({
    text: `${variable} stays`,
    criteria: [{ type: "Command", command: `test -d "${variable}"` }],
  });
});

describe("a goal file with a problem is refused with its line and column:", () => {
  const [text, criteria, constraints] = ["text = 'a'\n", "text = 'a'\n[[criteria]]\n", "text = 'a'\n[[constraints]]\n"];
  const kinds = "contains, equals, check, judged";
  const rules = "only_files, forbidden_tools, max_turns, max_seconds, max_cost_cents, output_excludes, check";

  test.each([
    ["no text", "threshold = 1", '1:1: the key "text" is missing'],
    ["an empty file", "", '1:1: the key "text" is missing'],
    ["an empty text", "text = ' '", '1:8: text is " "; it must be text that is not empty'],
    ["a text of another type", "text = 3", "1:8: text is 3; it must be text that is not empty"],
    ["an unknown key", `${text}treshold = 1`, '2:1: there is no key "treshold" at the top; did you mean "threshold"?'],
    ["no condition", `${criteria}weight = 2`, `2:3: criteria[0] needs exactly one of ${kinds}`],
    [
      "two conditions",
      `${criteria}contains = 'a'\ncheck = 'b'`,
      `4:1: criteria[0] has contains and check; it needs exactly one of ${kinds}`,
    ],
    [
      "a wrong spelling of a condition",
      `${criteria}contain = 'a'`,
      '3:1: there is no key "contain" in criteria[0]; did you mean "contains"?',
    ],
    [
      "a key below a table that belongs above it",
      `${criteria}contains = 'a'\nthreshold = 0.5`,
      '4:1: there is no key "threshold" in criteria[0]; it belongs to the top of the file, above all [tables]',
    ],
    [
      "a weight of 0",
      `${criteria}contains = 'a'\nweight = 0`,
      /^4:10: criteria\[0\]\.weight is 0; it must be a number above 0/,
    ],
    ["an infinite weight", `${criteria}contains = 'a'\nweight = inf`, /^4:10: criteria\[0\]\.weight is Infinity; /],
    ["a threshold above 1", `${text}threshold = 1.5`, "2:13: threshold is 1.5; it must be a number above 0, at most 1"],
    ["a threshold of 0", `${text}threshold = 0`, "2:13: threshold is 0; it must be a number above 0, at most 1"],
    [
      "a key that needs another one",
      `${criteria}equals = 'a'\nignore_case = true`,
      "4:1: criteria[0] has ignore_case, which needs contains",
    ],
    [
      "a time without a command",
      `${criteria}judged = 'a'\ntimeout_secs = 3`,
      /^4:1: .* has timeout_secs, which needs check$/,
    ],
    ["no level", `${constraints}max_turns = 3`, "2:3: constraints[0] needs exactly one of must, should"],
    [
      "two levels",
      `${constraints}must = 'a'\nshould = 'b'`,
      "4:1: constraints[0] has must and should; it needs exactly one of must, should",
    ],
    [
      "two rules",
      `${constraints}must = 'a'\nmax_turns = 3\ncheck = 'b'`,
      `5:1: constraints[0] has max_turns and check; it needs at most one of ${rules}`,
    ],
    [
      "a list that is a text",
      `${constraints}must = 'a'\nonly_files = 'src/**'`,
      '4:14: constraints[0].only_files is "src/**"; it must be a list that is not empty, like ["src/**"]',
    ],
    [
      "an empty list",
      `${constraints}must = 'a'\nonly_files = []`,
      "4:14: constraints[0].only_files is []; it must be a list that is not empty",
    ],
    [
      "a table that is not in a list",
      `${text}[criteria]\ncontains = 'a'`,
      '2:1: criteria is {"contains":"a"}; it must be a list; write its header with [[ and ]]',
    ],
    ["a number as a list", `${text}criteria = 3`, "2:12: criteria is 3; it must be a list"],
    ["invalid TOML", "text = ", "1:8: invalid TOML: invalid value"],
    ["a key that is set twice", `${text}text = 'b'`, "2:1: text is set twice; first in line 1"],
    ["a name of the configuration", `${text}mcp = 3`, /^2:1: there is no key "mcp" at the top; valid are text, /],
  ])("%s", async (_, toml, expected) => {
    const found = await problems(toml);
    expect(found).toEqual([typeof expected === "string" ? expected : expect.stringMatching(expected)]);
  });

  test("all problems at once, in the order of the file", async () => {
    expect(await problems("text = 3\n[[criteria]]\n[[criteria]]\ncontains = 4\n[[constraints]]\nmust = ''")).toEqual([
      "1:8: text is 3; it must be text that is not empty",
      `2:3: criteria[0] needs exactly one of ${kinds}`,
      "4:12: criteria[1].contains is 4; it must be text that is not empty",
      '6:8: constraints[0].must is ""; it must be text that is not empty',
    ]);
  });

  test("thousands of problems, in a few lines", async () => {
    const found = await problems(`text = 'a'\n${"[[criteria]]\n".repeat(10_000)}`);
    expect([found.length, found.at(-1)]).toEqual([21, "and 9980 more problems of this kind"]);
  });

  test("bytes that are not UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from("text = 'a"), Buffer.from([0xff]), Buffer.from("'")]);
    expect(await problems(bytes)).toEqual(["1:10: this is not UTF-8; save the file as UTF-8"]);
  });
});

describe("a goal file that cannot be read is refused:", () => {
  test("it is missing", async () => {
    expect(await readGoalFile(await file("goal.toml"), "goal.toml")).toEqual({
      problems: ["goal.toml: there is no such file"],
    });
  });

  test("it is a directory", async () => {
    await mkdir(await file("goal.toml"));
    expect(await readGoalFile(await file("goal.toml"), "goal.toml")).toEqual({
      problems: ["goal.toml:1:1: it is a directory, not a file"],
    });
  });

  test("it has 100 MB", async () => {
    const path = await file("goal.toml", "");
    await truncate(path, 100_000_000); // takes no space on the disk
    expect(await readGoalFile(path, "goal.toml")).toEqual({
      problems: ["goal.toml:1:1: it is larger than 1 MB, so it is not a goal"],
    });
  });

  test.skipIf(process.getuid?.() === 0)("there is no permission", async () => {
    const path = await file("goal.toml", "text = 'a'");
    await chmod(path, 0o000);
    expect(await readGoalFile(path, "goal.toml")).toEqual({
      problems: ["goal.toml:1:1: there is no permission to read it"],
    });
  });
});
