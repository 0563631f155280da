import type { ScriptedTurn } from "@sheepdog/agent/testing";
import type { ObservedRun } from "./observed-run.ts";
import type { Story } from "./story.ts";

const code = `/** The number of sheep in all pens. */
export function countSheep(pens) {
  let sheep = 0;
  for (let i = 1; i < pens.length; i++) sheep += pens[i].length;
  return sheep;
}
`;

const test = `import { countSheep } from "./flock.js";

const counted = countSheep([["Dolly"], ["Shaun", "Timmy"]]);
console.log(counted === 3 ? "all 3 sheep are there" : \`expected 3 sheep, got \${counted}\`);
process.exitCode = counted === 3 ? 0 : 1;
`;

const answer = "Done: the loop started at 1 and skipped the first pen. The test passes.";

/** An agent that repeats a failing test until the guardian refuses that; then it reads the code and fixes it. */
export const recoveringStory: Story = {
  name: "recovering",
  title: "An agent that repeats a failing test, and recovers",
  prompt: "The test of flock.js fails. Make it pass.",
  files: { "package.json": '{ "type": "module" }\n', "flock.js": code, "flock.test.js": test },
  decide,
  opinion: { verdict: "stuck" },
  isExpected: ({ text }) => text === answer,
};

function decide({ last, results, notices }: ObservedRun): ScriptedTurn {
  if (last === undefined) return runTest("I'll run the test first.");
  if (last.isRefused)
    return {
      text: "Running it again will not help. I'll read the code instead.",
      calls: [{ tool: "read", input: { path: "flock.js" } }],
    };
  if (last.tool === "read" && !last.isError) return fix(last.text);
  if (last.tool === "edit" && !last.isError) return runTest("The loop skipped the first pen. Now the test.");
  if (last.tool === "bash" && !last.isError) return { text: answer };
  if (last.tool === "bash")
    return runTest((notices === 0 ? excuses[results.length - 1] : objections[notices - 1]) ?? "Once more.");
  return { text: `I could not fix it: ${last.text}` };
}

/** Texts before the first notice. */
const excuses = ["That may be a fluke. Once more.", "Perhaps it has to warm up."];
/** Texts after each notice. */
const objections = ["I see, but this time it should pass.", "One last try.", "It has to pass some time."];

function runTest(text: string): ScriptedTurn {
  return { text, calls: [{ tool: "bash", input: { command: "node flock.test.js" } }] };
}

/** Edits the line that it has just read. */
function fix(source: string): ScriptedTurn {
  const loopStart = source.match(/let i = \d+/)?.[0];
  if (loopStart === undefined) return { text: "I see no mistake in it." };
  return {
    text: "There it is.",
    calls: [{ tool: "edit", input: { path: "flock.js", old: loopStart, new: "let i = 0" } }],
  };
}
