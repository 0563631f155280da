import {
  call,
  message,
  mute,
  type ScriptedCall,
  type ScriptStep,
  says,
  streams,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import type { OtherProject } from "./other-project.ts";
import { hintIsNoForce, repeatedText } from "./reasons.ts";
import { noise, repeatedSentence } from "./repeated-text.ts";

const count = () => call("count", { field: "north" }, "12 sheep");
const countSouth = () => call("count", { field: "south" }, "7 sheep and 3 goats");
const weighNorth = () => call("weigh", { field: "north" }, "612 kg");

const pages = ["The gate opens at six.", "Twelve lambs were born.", "The well is dry."];
const page = (i: number) => call("read_file", { file_path: `page-${i}.txt` }, pages[i] ?? "");
const row = (i: number) => call("row", { id: i }, `ear tag ${i * 37}, ${i * 11} kg`);
const laps = (calls: number, period: number, make: (i: number) => ScriptedCall) =>
  times(calls, (i) => make(i % period));

/** What they count: ten chunks of 50 characters. */
const chunks = (amount: number, number = 1) => repeatedSentence(number, 50).repeat(amount);
/** Nine chunks, a line that begins another part of a document, and nine chunks again. */
const around = (line: string, number = 1): ScriptStep => streams(`${chunks(9)}${line}${chunks(9, number)}`);

/** A list whose items differ in a number at the end. */
const sharedPrefix = Array.from(
  { length: 15 },
  (_, i) => `- farms/green-hill-farm-52417/valleys/northern-valley/fields/${i}\n`,
).join("");

/** What a model says that cannot end its turn. */
const finishedLines = [
  "The answer is complete.",
  "No text follows.",
  "The turn ends here.",
  "Nothing is left to do.",
  "The user is next.\n",
].join("\n  ");

export const geminiCli: OtherProject = {
  name: "gemini-cli",
  repository: "google-gemini/gemini-cli",
  version: "5411f11, 2026-08-21",
  files: ["packages/core/src/services/loopDetectionService.test.ts"],
  notTranslated: {
    count: 15,
    about: "when and how another model is asked (13), a configuration, unknown events",
  },
  tests: [
    {
      name: "the same call four times",
      source: "should not detect a loop for fewer than TOOL_CALL_LOOP_THRESHOLD identical calls",
      script: times(4, count),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: hintIsNoForce },
    },
    {
      name: "the same call five times",
      source: "should detect a loop on the TOOL_CALL_LOOP_THRESHOLD-th identical call",
      script: times(5, count),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same call six times",
      source: "should detect a loop on subsequent identical calls",
      script: times(6, count),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "three different calls, three times in turn",
      source: "should not detect a loop for different tool calls",
      script: times(3, () => [count(), countSouth(), weighNorth()]),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: "Three laps with the same answers are a cycle. A message refuses nothing." },
    },
    {
      name: "the same call five times, with a thought before the last",
      source: "should not reset tool call counter for other event types",
      script: [...times(4, count), streams("Let me look at the north field.", "thinking"), ...times(1, count)],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same call five times after the user has muted the detection",
      source: "should not detect a loop when disabled for session",
      script: [mute({ tool: "count" }), ...times(5, count)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same call again after the user has muted the detection during a loop",
      source: "should stop reporting a loop if disabled after detection",
      before: times(6, count),
      script: [mute({ tool: "count" }), ...times(1, count)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "two files in turn, 15 reads",
      source: "should detect an alternating tool call loop (cycle of length 2)",
      script: laps(15, 2, page),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "three files in turn, 20 reads",
      source: "should detect a cyclic tool call loop of length 3",
      script: laps(20, 3, page),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "five rows in turn, 30 calls",
      source: "should detect a cyclic tool call loop of length 5",
      script: laps(30, 5, row),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "two files in turn, four reads before and four after another file",
      source: "should not detect loops for non-looping alternating sequences that vary",
      script: [...laps(4, 2, page), turn(page(2)), ...laps(4, 2, page)],
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign: "One other read does not make the same eight reads useful. A message refuses nothing.",
      },
    },
    {
      name: "10,000 random characters",
      source: "should not detect a loop for random content",
      script: [streams(noise(10_000))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a sentence ten times",
      source: "should detect a loop when a chunk of content repeats consecutively",
      script: [streams(chunks(10))],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a list of 15 items that differ in a number at the end",
      source: "should not detect a loop for a list with a long shared prefix",
      script: [streams(sharedPrefix)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a sentence ten times, each time after 500 other characters",
      source: "should not detect a loop if repetitions are very far apart",
      script: [streams((chunks(1) + noise(500)).repeat(10))],
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign: "The other characters are the same each time, so the text repeats 550 characters ten times.",
      },
    },
    {
      name: "150 characters twelve times",
      source: "should detect a loop with longer repeating patterns (e.g. ~150 chars)",
      script: [streams(repeatedSentence(1, 150).repeat(12))],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "five lines about being finished, 15 times",
      source: "should detect the specific user-provided loop example",
      script: [streams(finishedLines.repeat(15))],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "an announcement that all is done, 15 times",
      source: "should detect the second specific user-provided loop example",
      script: [
        streams("Every gate is closed and was checked twice. The task can be marked as finished now.\n  ".repeat(15)),
      ],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "two short phrases in turn, 30 times",
      source: "should detect a loop of alternating short phrases",
      script: [streams("Counting... Ready. ".repeat(30))],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "three sentences of a plan, 15 times",
      source: "should detect a loop of repeated complex thought processes",
      script: [streams("The gate must be looked at. There is no gate. A gate will be built. ".repeat(15))],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a sentence ten times inside a code block",
      source: "should not detect a loop when repetitive content is inside a code block",
      script: [streams(`\`\`\`\n${chunks(10)}\n\`\`\``)],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence eight times, and ten times more inside a code block",
      source: "should not detect loops when content transitions into a code block",
      script: [streams(`${chunks(8)}\`\`\`javascript\n${chunks(10)}`)],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence 15 times inside a code block with words before it",
      source: "should skip loop detection when already inside a code block (this.inCodeBlock)",
      script: [streams(`This is the file:\n\`\`\`\n${chunks(15)}`)],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence five times inside the first of two code blocks",
      source: "should correctly track inCodeBlock state with multiple fence transitions",
      script: [streams(`Some words \`\`\`\n${chunks(5)}\`\`\`\n\`\`\`python\n`)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a sentence ten times after a code block",
      source: "should detect a loop when repetitive content is outside a code block",
      script: [streams(`\`\`\`\nopen(gate)\n\`\`\`${chunks(10)}`)],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "two short code blocks",
      source: "should handle content with multiple code blocks and no loops",
      script: [streams("```\nopen(gate)\n```\nand then\n```\nclose(gate)\n```")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a sentence ten times after a one-line code block",
      source: "should handle content with mixed code blocks and looping text",
      script: [streams(`\`\`\`\ncount()\n\`\`\`${chunks(10)}`)],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a line of code 20 times inside a code block",
      source: "should not detect a loop for a long code block with some repeating tokens",
      script: [streams(`\`\`\`\n${"while (sheep < 12) { sheep += open(gate); }".repeat(20)}\n\`\`\``)],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence nine times, and ten times more after a code fence",
      source: "should reset tracking when a code fence is found",
      script: [streams(`${chunks(9)}\`\`\`${chunks(10)}`)],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence nine times before and nine times after a row of a table",
      source: "should reset tracking when a table is detected",
      script: [around("| sheep | weight |")],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence nine times before and nine times after an item of a list",
      source: "should reset tracking when a list item is detected",
      script: [around("* a sheep")],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence nine times before and nine times after a heading",
      source: "should reset tracking when a heading is detected",
      script: [around("## Sheep")],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence nine times before and nine times after a quote",
      source: "should reset tracking when a blockquote is detected",
      script: [around("> the shepherd")],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence nine times, an item of a list, another sentence nine times",
      source: "should reset tracking for various list item formats",
      script: ["* ewe", "- ram", "+ lamb", "1. goat", "42. goose"].flatMap((item, i) => [
        message(),
        around(`\n${item}`, i + 100),
      ]),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence nine times, a row of a table, another sentence nine times",
      source: "should reset tracking for various table formats",
      script: ["| ewe | ram |", "|---|---|", "|++|++|", "+---+---+"].flatMap((line, i) => [
        message(),
        around(`\n${line}`, i + 200),
      ]),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "a sentence nine times, a heading, another sentence nine times",
      source: "should reset tracking for various heading levels",
      script: [1, 2, 3, 4, 5, 6].flatMap((level) => [message(), around(`\n${"#".repeat(level)} Sheep`, level + 300)]),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: repeatedText },
    },
    {
      name: "an empty stream",
      source: "should handle empty content",
      script: [streams("")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "750 hyphens",
      source: "should not detect a loop for repeating divider-like content",
      script: [streams("-".repeat(750))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "750 characters of a drawn box",
      source: "should not detect a loop for repeating complex box-drawing dividers",
      script: [streams("╭─".repeat(375))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same call again after their first reaction",
      source: "should increment strike count for repeated detections",
      script: times(7, count),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "a text after their first reaction",
      source: "should allow recovery turn to proceed after clearDetection",
      before: times(6, count),
      script: [says("The north field has 12 sheep.")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a phrase nine times, a call, other text",
      source: "tool call should reset content count",
      script: [streams("A few words. ".repeat(9)), turn(count()), streams("Other words.")],
      theirs: "silent",
      ours: "agree",
    },
  ],
};
