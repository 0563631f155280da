// For each detector a scripted run that it ends, and a similar one without intervention; for each limit one run.
// The pages quote them as they stand here.
import {
  call,
  compacted,
  fails,
  message,
  pause,
  says,
  signal,
  spend,
  streams,
  times,
  turn,
} from "@sheepdog/guardian/testing";

/** Runs under the default policy; the rules of the seed systems use the preset of their name. */
export const detectorRuns = {
  "side-effect-repeat": {
    speaks: () =>
      times(5, (i) =>
        call("send_email", { to: "ops@example.com", subject: "Build is red" }, `Sent as message ${4711 + i}.`),
      ),
    silent: () =>
      times(5, (i) =>
        call("send_email", { to: `guest${i}@example.com`, subject: "You are invited" }, `Sent as message ${4711 + i}.`),
      ),
  },
  "failing-call": {
    speaks: () => times(9, () => fails("bash", { command: "npm test" }, "Error: Cannot find module './sum.js'")),
    silent: () =>
      times(9, (i) => [
        call("edit_file", { path: `src/part${i}.ts`, old: "sum", new: `sum${i}` }, "The file was changed."),
        fails("bash", { command: "npm test" }, "Error: Cannot find module './sum.js'"),
      ]),
  },
  cycle: {
    speaks: () =>
      times(7, () => [
        call("read_file", { path: "src/server.ts" }, "import { port } from './config.ts';"),
        call("read_file", { path: "src/config.ts" }, "export const port = 8080;"),
      ]),
    silent: () =>
      times(7, (i) => [
        call(
          "edit_file",
          { path: "src/config.ts", old: `port = ${8080 + i}`, new: `port = ${8081 + i}` },
          "The file was changed.",
        ),
        call("read_file", { path: "src/config.ts" }, `export const port = ${8081 + i};`),
      ]),
  },
  "doom-loop": {
    speaks: () => times(9, () => call("read_file", { path: "src/config.ts" }, "export const port = 8080;")),
    silent: () => times(9, (i) => call("read_file", { path: "logs/build.log" }, `Compiled ${10 * i} of 90 files.`)),
  },
  "failing-tool": {
    speaks: () =>
      times(10, (i) => fails("search_web", { query: topics[i] }, "Error: the search service is not configured")),
    silent: () =>
      times(10, (i) => [
        fails("search_web", { query: topics[i] }, `Error: nothing is known of ${topics[i]}`),
        call("search_web", { query: `${topics[i]} history` }, `A page about ${topics[i]}, written in ${1900 + i}.`),
      ]),
  },
  "no-progress": {
    speaks: () => times(10, (i) => call("search_notes", { query: topics[i] }, nothingFound)),
    silent: () =>
      times(10, (i) =>
        call("search_notes", { query: topics[i] }, `One note: ${topics[i]} first came up in chapter ${i}.`),
      ),
  },
  "same-call": {
    speaks: () => times(60, (i) => call("get_price", { of: "ACME" }, `${100 + i}.50 dollars`)),
    silent: () => times(60, (i) => call("get_status", { job: 7 }, `${i} of 60 parts are done.`)),
  },
  "failing-run": {
    speaks: () => times(28, (i) => fails(tools[i % 5], { for: topics[i % 10], try: i }, errors[(i * 3) % 7])),
    silent: () =>
      times(28, (i) => [
        fails(tools[i % 5], { for: topics[i % 10], try: i }, errors[(i * 3) % 7]),
        call("read_file", { path: `docs/${i}.md` }, `Chapter ${i} is about ${topics[i % 10]}.`),
      ]),
  },
  denial: {
    speaks: () => times(5, () => fails("deploy", { to: "production" }, "A person has to allow this first.", "denied")),
    silent: () =>
      times(3, (i) =>
        fails("deploy", { to: ["production", "staging", "test"][i] }, "A person has to allow this first.", "denied"),
      ),
  },
  chant: {
    speaks: () => times(3, () => streams("I will look at the file now. ".repeat(40))),
    silent: () =>
      times(3, () =>
        streams(Array.from({ length: 60 }, (_, i) => `${i + 1}. I will look at file ${i + 1} now.\n`).join("")),
      ),
  },
  monologue: {
    speaks: () =>
      times(6, () => [says("I will now update the configuration and run the tests."), message("automatic")]),
    silent: () => times(6, () => [says("I will now update the configuration and run the tests."), message("person")]),
  },
  stall: {
    speaks: () => [signal({ type: "waiting", for: "first-byte" }), pause(360_000)],
    silent: () => [signal({ type: "waiting", for: "approval" }), pause(3_600_000)],
  },
  spawn: {
    speaks: () =>
      times(5, (i) => [signal({ type: "child-start", id: `child_${i}`, depth: 5 }), signal({ type: "turn-end" })]),
    silent: () =>
      times(5, (i) => [signal({ type: "child-start", id: `child_${i}`, depth: 1 }), signal({ type: "turn-end" })]),
  },
  "stuck-child": {
    speaks: () =>
      times(5, (i) => [
        signal({ type: "child-end", id: `child_${i}`, depth: 1, findings: ["doom-loop"] }),
        signal({ type: "turn-end" }),
      ]),
    silent: () =>
      times(5, (i) => [
        signal({ type: "child-end", id: `child_${i}`, depth: 1, findings: i % 2 === 0 ? ["doom-loop"] : [] }),
        signal({ type: "turn-end" }),
      ]),
  },
  compaction: {
    speaks: () =>
      times(3, () => [
        compacted,
        signal({ type: "usage", used: {}, isPriced: true, context: { tokens: 190_000, max: 200_000 } }),
      ]),
    silent: () =>
      times(3, () => [
        compacted,
        signal({ type: "usage", used: {}, isPriced: true, context: { tokens: 90_000, max: 200_000 } }),
      ]),
  },
  "seed-ryvos": {
    preset: "ryvos",
    speaks: () => times(12, (i) => call("read_file", { path: "logs/build.log" }, `Compiled ${i} of 12 files.`)),
    silent: () =>
      times(12, (i) => call("read_file", { path: i % 2 === 0 ? "logs/build.log" : "logs/test.log" }, "Nothing yet.")),
  },
  "seed-aar": {
    preset: "aar",
    speaks: () =>
      times(4, () => turn(call("read_file", { path: "a.txt" }, "A"), call("read_file", { path: "b.txt" }, "B"))),
    silent: () =>
      times(4, (i) =>
        turn(
          call("read_file", { path: "a.txt" }, "A"),
          call("read_file", { path: i % 2 === 0 ? "b.txt" : "c.txt" }, "B"),
        ),
      ),
  },
  "seed-llm-rb": {
    preset: "llm-rb",
    speaks: () =>
      times(50, (i) => (i % 2 === 0 ? call("list_files", {}, "a.txt") : call("read_file", { path: "a.txt" }, "A"))),
    silent: () => times(25, (i) => [call("list_files", {}, "a.txt"), call("read_file", { path: `${i}.txt` }, "A")]),
  },
  "seed-tool-guardrails": {
    preset: "tool-guardrails",
    speaks: () =>
      times(10, (i) =>
        fails(i < 5 ? "bash" : "python", { command: `make step${i}` }, `Error: step ${i} cannot be made`),
      ),
    silent: () =>
      times(10, (i) =>
        i % 3 === 2
          ? call("bash", { command: "ls" }, `${i} files`)
          : fails("bash", { command: `make step${i}` }, "Error"),
      ),
  },
};

/** Runs with the limit that is set. */
export const limitRuns = {
  context: {
    limit: { warn: 80, stop: 95 },
    speaks: () =>
      [100_000, 165_000, 191_000].map((tokens) =>
        signal({ type: "usage", used: {}, isPriced: true, context: { tokens, max: 200_000 } }),
      ),
  },
  "run-tokens": {
    limit: { warn: 80_000, stop: 100_000 },
    speaks: () =>
      [40_000, 85_000, 101_500].map((tokens) =>
        signal({ type: "usage", used: { "run-tokens": tokens }, isPriced: true }),
      ),
  },
  "run-cost": {
    limit: { warn: 800_000_000, stop: 1_000_000_000 },
    speaks: () => [spend(400_000_000), spend(850_000_000), spend(1_020_000_000)],
  },
  "session-cost": {
    limit: { warn: 4_000_000_000, stop: 5_000_000_000 },
    speaks: () =>
      [3.9, 4.2, 5.1].map((usd) => signal({ type: "usage", used: { "session-cost": usd * 1e9 }, isPriced: true })),
  },
  "day-cost": {
    limit: { warn: 16_000_000_000, stop: 20_000_000_000 },
    speaks: () =>
      [15.5, 16.2, 20.4].map((usd) =>
        signal({ type: "usage", used: { "day-cost": usd * 1e9 }, isPriced: true, day: "2025-03-01" }),
      ),
  },
  "month-cost": {
    limit: { warn: 80_000_000_000, stop: 100_000_000_000 },
    speaks: () =>
      [79, 81, 100.5].map((usd) =>
        signal({ type: "usage", used: { "month-cost": usd * 1e9 }, isPriced: true, month: "2025-03" }),
      ),
  },
  turns: {
    limit: { warn: 8, stop: 10 },
    speaks: () => times(10, (i) => call("read_file", { path: `docs/${i}.md` }, `Chapter ${i} is about ${topics[i]}.`)),
  },
  time: {
    limit: { warn: 480_000, stop: 600_000 },
    speaks: () => [signal({ type: "waiting", for: "tool" }), pause(600_000)],
  },
};

const topics = ["harbours", "glaciers", "violins", "printing", "whales", "bridges", "salt", "clocks", "maps", "tulips"];
const tools = ["bash", "read_file", "fetch_url", "run_query", "compile"];
const errors = [
  "Error: no such column",
  "Error: connection refused",
  "Error: module is missing",
  "Error: permission to the folder is needed",
  "Error: unexpected end of input",
  "Error: certificate is not valid",
  "Error: out of disk",
];
const nothingFound = "Nothing was found. Try other words, or fewer of them, or look into the archive of older notes.";
