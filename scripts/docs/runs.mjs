// For each detector a scripted run that it ends, and a similar one without intervention; for each limit one run.
// `story` and `silentStory` say in words what the agent does. The pages quote runs and stories as they stand here.
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
    story: "An agent sends the same e-mail to the same address again and again. Each time it is sent.",
    silentStory: "An agent sends one e-mail each to different guests.",
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
    story: "An agent runs `npm test` nine times and changes nothing in between. It fails with the same error.",
    silentStory: "An agent edits another file before each test run.",
    speaks: () => times(9, () => fails("bash", { command: "npm test" }, "Error: Cannot find module './sum.js'")),
    silent: () =>
      times(9, (i) => [
        call("edit_file", { path: `src/part${i}.ts`, old: "sum", new: `sum${i}` }, "The file was changed."),
        fails("bash", { command: "npm test" }, "Error: Cannot find module './sum.js'"),
      ]),
  },
  cycle: {
    story: "An agent reads one file, then another, then the first again, and so on. The files do not change.",
    silentStory: "An agent edits a file and reads it, and each edit is a different one.",
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
    story: "An agent reads the same file nine times. The file does not change.",
    silentStory: "An agent reads a log that grows.",
    speaks: () => times(9, () => call("read_file", { path: "src/config.ts" }, "export const port = 8080;")),
    silent: () => times(9, (i) => call("read_file", { path: "logs/build.log" }, `Compiled ${10 * i} of 90 files.`)),
  },
  "failing-tool": {
    story: "An agent searches for ten different things. Each search fails, because the service is not configured.",
    silentStory: "Each search that fails is followed by one that succeeds.",
    speaks: () =>
      times(10, (i) => fails("search_web", { query: topics[i] }, "Error: the search service is not configured")),
    silent: () =>
      times(10, (i) => [
        fails("search_web", { query: topics[i] }, `Error: nothing is known of ${topics[i]}`),
        call("search_web", { query: `${topics[i]} history` }, `A page about ${topics[i]}, written in ${1900 + i}.`),
      ]),
  },
  "no-progress": {
    story: "An agent searches its notes for ten different things and gets the same answer each time.",
    silentStory: "Each search brings another note.",
    speaks: () => times(10, (i) => call("search_notes", { query: topics[i] }, nothingFound)),
    silent: () =>
      times(10, (i) =>
        call("search_notes", { query: topics[i] }, `One note: ${topics[i]} first came up in chapter ${i}.`),
      ),
  },
  "same-call": {
    story: "An agent asks for the same price sixty times. The price changes, but the agent does nothing with it.",
    silentStory: "An agent asks for the status of a job that makes progress.",
    speaks: () => times(60, (i) => call("get_price", { of: "ACME" }, `${100 + i}.50 dollars`)),
    silent: () => times(60, (i) => call("get_status", { job: 7 }, `${i} of 60 parts are done.`)),
  },
  "failing-run": {
    story: "An agent calls five tools in turn, and every call fails, for various reasons.",
    silentStory: "An agent reads something new after each failure.",
    speaks: () => times(28, (i) => fails(tools[i % 5], { for: topics[i % 10], try: i }, errors[(i * 3) % 7])),
    silent: () =>
      times(28, (i) => [
        fails(tools[i % 5], { for: topics[i % 10], try: i }, errors[(i * 3) % 7]),
        call("read_file", { path: `docs/${i}.md` }, `Chapter ${i} is about ${topics[i % 10]}.`),
      ]),
  },
  denial: {
    story: "An agent tries five times to deploy, and a person has to allow it first.",
    silentStory: "An agent tries three targets once each.",
    speaks: () => times(5, () => fails("deploy", { to: "production" }, "A person has to allow this first.", "denied")),
    silent: () =>
      times(3, (i) =>
        fails("deploy", { to: ["production", "staging", "test"][i] }, "A person has to allow this first.", "denied"),
      ),
  },
  chant: {
    story: "A reply repeats one sentence until it is cut off. The next replies do the same.",
    silentStory: "A reply is a list of sixty different steps.",
    speaks: () => times(3, () => streams("I will look at the file now. ".repeat(40))),
    silent: () =>
      times(3, () =>
        streams(Array.from({ length: 60 }, (_, i) => `${i + 1}. I will look at file ${i + 1} now.\n`).join("")),
      ),
  },
  "refused-answers": {
    story: "An agent answers, and a judge refuses the answer five times with the same hint.",
    silentStory: "The judge finds something else each time, and accepts the fourth answer.",
    speaks: () =>
      times(5, (i) => [
        says(`Report ${i}: the roof needs a repair.`),
        signal({ type: "verdict", verdict: "retry", hint: "The price of the repair is missing." }),
        message("automatic"),
      ]),
    silent: () =>
      times(4, (i) => [
        says(`Report ${i}: the roof needs a repair.`),
        signal({ type: "verdict", verdict: i < 3 ? "retry" : "accept", hint: `Say more about ${topics[i]}.` }),
        message("automatic"),
      ]),
  },
  monologue: {
    story: 'An agent announces six times what it will do, and does nothing. A stop hook answers "continue" each time.',
    silentStory: "A person answers each time.",
    speaks: () =>
      times(6, () => [says("I will now update the configuration and run the tests."), message("automatic")]),
    silent: () => times(6, () => [says("I will now update the configuration and run the tests."), message("person")]),
  },
  stall: {
    story: "A request is sent, and no reply comes for six minutes.",
    silentStory: "A run waits an hour for a person's approval.",
    speaks: () => [signal({ type: "waiting", for: "first-byte" }), pause(360_000)],
    silent: () => [signal({ type: "waiting", for: "approval" }), pause(3_600_000)],
  },
  spawn: {
    story: "Subagents start subagents, five levels deep. Four levels are allowed.",
    silentStory: "A run starts five subagents of its own.",
    speaks: () =>
      times(5, (i) => [signal({ type: "child-start", id: `child_${i}`, depth: 5 }), signal({ type: "turn-end" })]),
    silent: () =>
      times(5, (i) => [signal({ type: "child-start", id: `child_${i}`, depth: 1 }), signal({ type: "turn-end" })]),
  },
  "stuck-child": {
    story: "Five subagents in a row end in a loop.",
    silentStory: "Every second subagent ends well.",
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
    story: "The history is compacted three times, and the context is still almost full each time.",
    silentStory: "Each compaction makes room.",
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
    story: "An agent reads the same log twelve times in a row.",
    silentStory: "An agent reads two logs in turn.",
    preset: "ryvos",
    speaks: () => times(12, (i) => call("read_file", { path: "logs/build.log" }, `Compiled ${i} of 12 files.`)),
    silent: () =>
      times(12, (i) => call("read_file", { path: i % 2 === 0 ? "logs/build.log" : "logs/test.log" }, "Nothing yet.")),
  },
  "seed-aar": {
    story: "An agent reads the same two files in four steps in a row.",
    silentStory: "Every second step has another file.",
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
    story: "An agent lists files and reads one, in turn, fifty times.",
    silentStory: "An agent reads another file each time.",
    preset: "llm-rb",
    speaks: () =>
      times(50, (i) => (i % 2 === 0 ? call("list_files", {}, "a.txt") : call("read_file", { path: "a.txt" }, "A"))),
    silent: () => times(25, (i) => [call("list_files", {}, "a.txt"), call("read_file", { path: `${i}.txt` }, "A")]),
  },
  "seed-tool-guardrails": {
    story: "Ten commands in a row fail, with two tools.",
    silentStory: "Every third command succeeds.",
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
    story: "A conversation grows to 82 % and then to 95 % of the context window.",
    limit: { warn: 80, stop: 95 },
    speaks: () =>
      [100_000, 165_000, 191_000].map((tokens) =>
        signal({ type: "usage", used: {}, isPriced: true, context: { tokens, max: 200_000, compactsAt: 85 } }),
      ),
  },
  "run-tokens": {
    story: "A run uses 85,000 and then 101,500 tokens. The limit is 100,000.",
    limit: { warn: 80_000, stop: 100_000 },
    speaks: () =>
      [40_000, 85_000, 101_500].map((tokens) =>
        signal({ type: "usage", used: { "run-tokens": tokens }, isPriced: true }),
      ),
  },
  "run-cost": {
    story: "A run costs $0.85 and then $1.02. The limit is $1.00.",
    limit: { warn: 800_000_000, stop: 1_000_000_000 },
    speaks: () => [spend(400_000_000), spend(850_000_000), spend(1_020_000_000)],
  },
  "session-cost": {
    story: "The runs of a session cost $4.20 and then $5.10. The limit is $5.00.",
    limit: { warn: 4_000_000_000, stop: 5_000_000_000 },
    speaks: () =>
      [3.9, 4.2, 5.1].map((usd) => signal({ type: "usage", used: { "session-cost": usd * 1e9 }, isPriced: true })),
  },
  "day-cost": {
    story: "All runs of a day cost $16.20 and then $20.40. The limit is $20.00.",
    limit: { warn: 16_000_000_000, stop: 20_000_000_000 },
    speaks: () =>
      [15.5, 16.2, 20.4].map((usd) =>
        signal({ type: "usage", used: { "day-cost": usd * 1e9 }, isPriced: true, day: "2025-03-01" }),
      ),
  },
  "month-cost": {
    story: "All runs of a month cost $81 and then $100.50. The limit is $100.00.",
    limit: { warn: 80_000_000_000, stop: 100_000_000_000 },
    speaks: () =>
      [79, 81, 100.5].map((usd) =>
        signal({ type: "usage", used: { "month-cost": usd * 1e9 }, isPriced: true, month: "2025-03" }),
      ),
  },
  turns: {
    story: "A run makes ten turns. The limit is ten.",
    limit: { warn: 8, stop: 10 },
    speaks: () => times(10, (i) => call("read_file", { path: `docs/${i}.md` }, `Chapter ${i} is about ${topics[i]}.`)),
  },
  time: {
    story: "A run works for ten minutes. The limit is ten minutes.",
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
