// Small runs of the four weeks before the night: most of them plain work, some with a loop. So budgets and findings
// have something to compare.
import { at } from "./stories.mjs";

const projects = ["api-server", "web-shop", "infra", "media", "support", "research", "docs-site"];
const models = [
  { provider: "anthropic", model: "claude-sonnet-4-5" },
  { provider: "openai", model: "gpt-5-codex" },
  { provider: "anthropic", model: "claude-haiku-4-5" },
  { provider: "google", model: "gemini-2.5-pro" },
];
const tasks = [
  ["Add an index to the slow query.", "Added an index; the query takes 4 ms instead of 900."],
  ["Fix the flaky date test.", "Fixed the date test: it used the local time zone."],
  ["Rename the billing module.", "Renamed the billing module in 14 files; all tests pass."],
  ["Explain why the build is slow.", "The build is slow because type checking runs twice; I removed one run."],
  ["Write tests for the parser.", "Wrote 23 tests for the parser; two found bugs, both fixed."],
  ["Update the API docs.", "Updated the pages of 9 endpoints and the example of the client."],
];

/** A task that reads, edits, tests and answers. */
function plain(index, [prompt, answer]) {
  const steps = 5 + (index % 9);
  return {
    prompt,
    script: [
      ...Array.from({ length: steps }, (_, n) => ({
        secs: 12 + n,
        calls: [{ tool: "read", input: { path: `src/part-${index}-${n}.ts` }, result: `part ${index} ${n}` }],
        usage: { input: 14_000 + index * 900 + n * 1_500, output: 300 },
      })),
      {
        secs: 20,
        calls: [
          {
            tool: "edit",
            input: { path: `src/part-${index}-1.ts`, old: "let x", new: "const x" },
            result: "Replaced 1 line.",
          },
        ],
      },
      { secs: 15, calls: [{ tool: "bash", input: { command: "npm test" }, result: `${90 + index} passed`, secs: 30 }] },
      { secs: 10, text: answer, calls: [] },
    ],
    afterLast: { text: answer, calls: [] },
  };
}

/** A task that repeats a failing command `times` times, and then answers or does not stop. */
function loop(index, { command, error, times, answer }) {
  const failing = {
    secs: 14,
    text: "I run it again.",
    calls: [{ tool: "bash", input: { command }, result: error, isError: true, secs: 22 }],
    usage: { input: 30_000 + index * 500, output: 250 },
  };
  const end = { secs: 12, text: answer ?? "", calls: [] };
  const change = {
    secs: 20,
    calls: [{ tool: "edit", input: { path: "src/fix.ts", old: "a", new: `b${index}` }, result: "Replaced 1 line." }],
  };
  const passed = { secs: 12, calls: [{ tool: "bash", input: { command }, result: "ok", secs: 20 }] };
  return {
    prompt: `Make \`${command}\` work.`,
    limitUsd: 4,
    opinion: { verdict: "stuck" },
    script: [...Array.from({ length: times }, () => failing), ...(answer === undefined ? [] : [change, passed, end])],
    afterLast: answer === undefined ? failing : end,
  };
}

const loops = [
  {
    command: "pytest -k invoices",
    error: "E   AssertionError: 14 != 15\n1 failed",
    times: 4,
    answer: "Fixed the rounding of invoices.",
  },
  { command: "npm run e2e", error: "Error: page.click: Timeout 30000ms exceeded", times: 30 },
  { command: "kubectl get pods", error: "error: You must be logged in to the server (Unauthorized)", times: 30 },
  {
    command: "cargo build",
    error: "error[E0308]: mismatched types",
    times: 3,
    answer: "The types match now; the build passes.",
  },
  {
    command: "make docs",
    error: "sphinx: unknown option --fast",
    times: 5,
    answer: "The docs build without the option.",
  },
];

/** 44 runs in the 28 days before the night. */
export const earlierStories = Array.from({ length: 44 }, (_, index) => {
  const isLoop = index % 9 === 4;
  const day = -28 + Math.floor((index * 28) / 44);
  const story = isLoop
    ? loop(index, loops[((index - 4) / 9) % loops.length])
    : plain(index, tasks[index % tasks.length]);
  return {
    name: `e${String(index).padStart(7, "0")}`,
    startAt: at(`${9 + (index % 9)}:${10 + (index % 40)}`, day),
    project: projects[index % projects.length],
    ...models[index % models.length],
    ...story,
  };
});
