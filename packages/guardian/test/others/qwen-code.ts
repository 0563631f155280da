import { asTurns, call, fails, message, mute, signal, streams, times, turn } from "@sheepdog/guardian/testing";
import type { OtherProject, TranslatedTest } from "./other-project.ts";
import { cutsOffReply, differentCallsAreWork, hintIsNoForce, onceATurn, repeatedText } from "./reasons.ts";
import { repeatedSentence } from "./repeated-text.ts";

const count = () => call("count", { field: "north" }, "12 sheep");
const reordered = (i: number) => call("count", i % 2 === 0 ? { from: 1, to: 2 } : { to: 2, from: 1 }, "12 sheep");
const words = ["barn", "gate", "well", "hill", "pond", "road", "wolf", "lamb", "wool", "moon", "rain", "snow", "hay"];
const word = (i: number) => `${words[i % words.length]}${i < words.length ? "" : i}`;
const step = (i: number) => call("visit", { place: word(i) }, `At the ${word(i)} there are ${i * 13 + 5} sheep`);
const read = (i: number) => call("read_file", { path: `${word(i)}.txt` }, `${word(i)} ${i * 31}: ${word(i + 4)}`);
const write = () => call("write_file", { path: "report.txt", content: "twelve sheep" }, "ok");
const search = (i: number) => call("search_code", { query: word(i) }, `src/${word(i)}.ts:${i + 2}: ${word(i + 3)}()`);
const shell = (command: string, result: string) => call("run_shell_command", { command }, result);

/** What git says about a folder with two changed files. */
const gitAnswers = {
  short: " M barn.ts\n M gate.ts",
  stat: " barn.ts | 4 ++--\n gate.ts | 2 +-\n 2 files changed",
  names: "barn.ts\ngate.ts",
};
const inspections = [
  shell("git status --short", gitAnswers.short),
  shell("git diff --stat", gitAnswers.stat),
  shell("git ls-files --modified", gitAnswers.names),
  shell("git status --porcelain", gitAnswers.short),
  shell("git diff --name-only", gitAnswers.names),
  shell("git -C . status -s", gitAnswers.short),
  shell("git --no-pager diff --stat", gitAnswers.stat),
  shell("git status -s && git diff --stat", `${gitAnswers.short}\n${gitAnswers.stat}`),
];
const twoInspections = [
  shell("git diff --stat\ngit status -s", `${gitAnswers.stat}\n${gitAnswers.short}`),
  shell("git diff --name-only\ngit ls-files -m", `${gitAnswers.names}\n${gitAnswers.names}`),
  shell("git --no-pager diff --stat\ngit status --porcelain", `${gitAnswers.stat}\n${gitAnswers.short}`),
  shell("git diff --stat HEAD\ngit ls-files -o", gitAnswers.stat),
  shell("git diff --name-only\ngit status --short", `${gitAnswers.names}\n${gitAnswers.short}`),
  shell("git diff --stat\ngit -C . status -s", `${gitAnswers.stat}\n${gitAnswers.short}`),
  shell("git --no-pager diff --stat\ngit ls-files -m", `${gitAnswers.stat}\n${gitAnswers.names}`),
  shell("git diff --name-only HEAD\ngit status -s", `${gitAnswers.names}\n${gitAnswers.short}`),
];
const fileDiffs = (separator: string) => [
  shell("git status --short", gitAnswers.short),
  shell("git diff --stat", gitAnswers.stat),
  ...words
    .slice(0, 6)
    .map((name, i) => shell(`git diff ${separator}src/${name}.ts`, `-const ${name} = ${i};\n+let ${name};`)),
];

const chunk = repeatedSentence(1, 50);
const think = (...thoughts: readonly string[]) => streams(`${thoughts.join("\n")}\n`, "thinking");
const lookAgain = "Plan: look at the fence of the north field.";

/** One call again and again, with another call between any two. */
const interleaved = (pairs: number) => times(pairs, (i) => [count(), step(i)]);

const missing = (i: number) => fails("read_file", { path: `${word(i)}.md` }, `File not found: ${word(i)}.md`);
const shellFails = (i: number) =>
  fails("run_shell_command", { command: `feed ${word(i)}` }, "exit code 1: no hay left");
const batch = (from: number, to: number, make: typeof missing) =>
  Array.from({ length: to - from }, (_, i) => make(from + i));
const failures = (name: string) => `repeated-tool-failure-guard.test.ts: ${name}`;

export const qwenCode: OtherProject = {
  name: "qwen-code",
  repository: "QwenLM/qwen-code",
  version: "db05195, 2026-08-22",
  files: [
    "packages/core/src/services/loopDetectionService.test.ts",
    "packages/cli/src/acp-integration/session/repeated-tool-failure-guard.test.ts",
    "packages/core/src/utils/tool-call-repeat-key.test.ts",
  ],
  notTranslated: {
    count: 65,
    about:
      "29 that gemini-cli has too (see there), rolling back counts after a retry, one detector without the others, " +
      "names of loops, modes, incomplete batches",
  },
  tests: [
    {
      name: "the same call four times, after a reply that was started again",
      source: "resets the consecutive tool-call counter on retry",
      script: [signal({ type: "stream-start" }), ...times(4, count)],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: hintIsNoForce },
    },
    {
      name: "the same call five times",
      source: "halts consecutive identical calls via the always-on guard",
      script: times(5, count),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same call five times, its keys in two orders",
      source: "treats reordered argument fields as identical for the consecutive guard",
      script: times(5, reordered),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same call seven times after the user has muted the detection",
      source: "always-on consecutive guard honors an in-session disable",
      script: [mute({ tool: "count" }), ...times(7, count)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight ways to ask git for the changed files",
      source: "halts repeated git inspection command variants via the always-on guard",
      script: asTurns(inspections),
      theirs: "stopped",
      ours: {
        answer: "silent",
        wrong:
          "Missed: each question is worded differently, and its answer is too short to be recognised as the same one.",
      },
    },
    {
      name: "seven ways to ask git for the changed files, a file, the seven again",
      source: "resets the streak when a non-inspection tool call interrupts the run",
      script: asTurns([...inspections.slice(0, 7), read(0), ...inspections.slice(0, 7)]),
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign:
          "The second seven repeat the first seven exactly, and so do their answers. A message refuses nothing.",
      },
    },
    {
      name: "seven ways to ask git for the changed files, after a reply that was started again",
      source: "resets the streak when a retry replays shell inspections",
      script: [signal({ type: "stream-start" }), ...asTurns(inspections.slice(0, 7))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight ways to ask git for the changed files after the user has muted the detection",
      source: "honors an in-session disable for shell inspection stagnation",
      script: [mute({ tool: "run_shell_command" }), ...asTurns(inspections)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight commits, each of another file, with the status in between",
      source: "does not bucket compound commands that also write to the repository",
      script: times(8, (i) =>
        shell(
          `git add ${word(i)}.txt && git status --short && git commit -m "Count ${word(i)}"`,
          `A  ${word(i)}.txt\n[main 4c${i}f1a2] Count ${word(i)}\n 1 file changed`,
        ),
      ),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight test runs with another seed, each after a status",
      source: "does not bucket shell chains that include non-git commands",
      script: times(8, (i) =>
        shell(`git status --short && npm test -- --seed=${i}`, `${gitAnswers.short}\n${i + 3} of 40 tests failed`),
      ),
      theirs: "silent",
      ours: {
        answer: "noticed",
        wrong: "A false hint: similar commands with similar answers add up, although the number of failed tests moves.",
      },
    },
    {
      name: "ten test runs with another seed and another result",
      source: "does not halt repeated non-git shell commands",
      script: times(10, (i) => shell(`npm test -- --seed=${i}`, `${i + 3} of 40 tests failed`)),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight pairs of questions to git about the changed files",
      source: "halts newline-separated git inspection command variants",
      script: asTurns(twoInspections),
      theirs: "stopped",
      ours: {
        answer: "silent",
        wrong: "Missed, for the same reason: the words of the commands differ, and so do the answers.",
      },
    },
    {
      name: "the changes of six files, one after the other",
      source: "does not halt file-specific git diff review commands",
      script: asTurns(fileDiffs("-- ")),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the changes of six files, without the separator",
      source: "does not halt file-specific git diff review commands without -- separator",
      script: asTurns(fileDiffs("")),
      theirs: "silent",
      ours: "agree",
    },
    ...["-", "*", "+"].map(
      (marker): TranslatedTest => ({
        name: `the same item of a list 20 times, marked ${marker}`,
        source: `should treat "${marker}" as a list item and not report a loop`,
        script: [streams(`${marker} ${chunk}\n`.repeat(20))],
        theirs: "silent",
        ours: { answer: "noticed", byDesign: repeatedText },
      }),
    ),
    {
      name: "the same line ten times",
      source: "should still report a loop for repeated non-list content",
      script: [streams(`${chunk}\n`.repeat(10))],
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: cutsOffReply },
    },
    ...["FLOCK", "98765", "WHERE"].map(
      (token): TranslatedTest => ({
        name: `the token ${token} 100 times`,
        source: "should detect a loop when the model chants a token of capitals or digits",
        script: [streams(token.repeat(100))],
        theirs: "stopped",
        ours: { answer: "noticed", byDesign: cutsOffReply },
      }),
    ),
    ...["-", "=", "*", "_", "+", "─", "━"].map(
      (character): TranslatedTest => ({
        name: `a line of 1,000 times ${character}`,
        source: `should still treat a rule of "${character}" as a divider`,
        script: [streams(character.repeat(1_000))],
        theirs: "silent",
        ours: "agree",
      }),
    ),
    {
      name: "the same thought three times in a row",
      source: "should detect repetitive thoughts pattern",
      script: [think(lookAgain, lookAgain, lookAgain)],
      theirs: "stopped",
      ours: {
        answer: "silent",
        byDesign: "Three equal lines of thinking are too little to end a turn. The guardian waits for 400 characters.",
      },
    },
    {
      name: "four different thoughts",
      source: "should not detect loop with varied thoughts",
      script: [think(lookAgain, "Who uses the gate?", "Plan: compare two kinds of wire.", "Next: mend it.")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same thought three times, with others in between",
      source: "should not detect a loop when an earlier thought reappears after progress",
      script: [think(lookAgain, "Who uses the gate?", "Is it old?", lookAgain, "What does wire cost?", lookAgain)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same thought three times, with reads in between",
      source: "clears thought history across tool-call roundtrips within a turn",
      script: [think(lookAgain), turn(read(0)), think(lookAgain), turn(read(1)), think(lookAgain)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same remark five times in a text",
      source: "ignores hedge phrases in Content events (thought detection is Thought-only)",
      script: [streams("Perhaps the fence is broken, let us look. ".repeat(5))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight different files are read after a write",
      source: "should detect excessive file read operations",
      script: [turn(write()), ...times(8, read)],
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "20 different files and folders are looked at",
      source: "should exempt opening exploration from READ_FILE_LOOP (cold start)",
      script: times(20, (i) =>
        i % 2 === 0 ? read(i) : call("list_directory", { path: word(i) }, `${word(i + 2)}.md ${word(i + 5)}.md`),
      ),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "seven files, a write, 15 files",
      source: "should activate READ_FILE_LOOP once a non-read tool lands mid-prompt",
      script: [...times(7, read), turn(write()), ...times(15, (i) => read(i + 7))],
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "eight looks with different tools after a write",
      source: "should detect other read-like operations (exact names + read_/list_ prefixes)",
      script: asTurns([
        write(),
        call("read_many_files", { paths: ["barn.txt"] }, "The barn is red."),
        call("list_directory", { path: "." }, "barn.txt gate.txt"),
        call("read_resource", { uri: "farm:well" }, "The well is 9 m deep."),
        call("zoom_image", { file_path: "map.png", x1: 0, y1: 0, x2: 500, y2: 500 }, "A map of the valley"),
        call("list_projects", {}, "fence, roof"),
        read(3),
        call("read_many_files", { paths: ["gate.txt"] }, "The gate squeaks."),
        call("list_directory", { path: "wool" }, "white.txt black.txt"),
      ]),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "six calls of tools whose names contain view, cat or list",
      source: "should not treat tools that merely contain read-like substrings as file reads",
      script: [
        turn(write()),
        ...times(6, (i) =>
          call(["preview", "cattle_feed", "overview_set", "listen"][i % 4] ?? "", { i }, `${word(i)} ${i * 7}`),
        ),
      ],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "reads, writes and commands, mixed",
      source: "should not detect loop with mixed operations",
      script: asTurns([
        write(),
        read(0),
        call("write_file", { path: "wool.txt", content: "white" }, "ok"),
        read(1),
        call("execute", { command: "ls" }, "barn.txt gate.txt wool.txt"),
        read(2),
        read(3),
      ]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight searches for different words",
      source: "should detect action stagnation when the same tool is repeated with varying args",
      script: times(8, search),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "five searches, a write, five other searches",
      source: "should reset stagnation streak when a different tool is called",
      script: [...times(5, search), turn(write()), ...times(5, (i) => search(i + 5))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "ten different calls",
      source: "does not fire at or below the soft cap",
      script: times(10, step),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "99 different calls",
      source: "does not fire on diverse calls above the soft cap (productive turn)",
      script: times(99, step),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "ten different calls, then one call six times among others",
      source: "fires when a stuck signal accumulates between the soft and hard cap",
      script: [...times(10, (i) => step(i + 20)), ...interleaved(6)],
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "one call six times among others, over three replies",
      source: "fires on a stuck signal accumulated across Finished round-trips",
      script: interleaved(6),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "one call eight times among others, its keys in two orders",
      source: "treats reordered argument fields as one call for the stuck signal",
      script: times(8, (i) => [reordered(i), step(i)]),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "101 different calls, where 100 are allowed",
      source: "fires at the hard cap regardless of diversity",
      script: times(101, step),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "one call eight times among others",
      source: "fires at the soft cap when a stuck-repetition signal is present",
      script: interleaved(8),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "101 different calls, where more are allowed",
      source: "allows diverse calls past the built-in default soft cap",
      script: times(101, step),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "150 different calls without a limit",
      source: "never fires when the cap is disabled (Config resolves <= 0 to Infinity)",
      script: times(150, step),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "seven replies of 15 different calls, where 100 calls are allowed",
      source: "still accumulates across committed round-trips to trip the cap",
      script: times(7, (reply) => turn(...Array.from({ length: 15 }, (_, i) => step(15 * reply + i)))),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "a third call, where the user has allowed two",
      source: "treats an explicit value as a hard cap: cap of 2 halts call 3",
      policy: { limits: { turns: { stop: 2 } } },
      script: times(3, step),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "three different calls without a limit",
      source: "the same value left at the default is adaptive, not a hard cap",
      script: times(3, step),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "one call six times, with three others in turn between them",
      source: "should fire when same (tool, args) appears threshold times non-consecutively",
      script: asTurns(
        Array.from({ length: 5 }, (_, i) => [count(), step(i % 3)])
          .flat()
          .concat(count()),
      ),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "six different calls of a tool",
      source: "should not fire for different (tool, args) pairs",
      script: times(6, step),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same call six times",
      source: "global-duplicate also fires for a consecutive identical run",
      script: times(6, count),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same call three times, after a reply that was started again",
      source: "does not count a retried replay toward the global-duplicate threshold",
      script: [signal({ type: "stream-start" }), ...times(3, count)],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: hintIsNoForce },
    },
    {
      name: "two calls in turn, six in all",
      source: "should fire for a clean ABABAB alternating pattern",
      script: times(3, () => [count(), step(0)]),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: "The guardian hints at the third lap and refuses after the fifth." },
    },
    {
      name: "two tools in turn, with other arguments each time",
      source: "should not fire when calls alternate but with varying keys",
      script: times(5, (i) => [step(i), read(i)]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "two calls in turn, four before and six after another call",
      source: "should reset alternating window after a different third pattern",
      script: [...times(2, () => [count(), step(0)]), turn(read(0)), ...times(3, () => [count(), step(0)])],
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "eight files that do not exist in one reply",
      source: failures("requires eight failures across at least two batches before warning, first batch"),
      script: [turn(...batch(0, 8, missing))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight files that do not exist in one reply, and another one in the next",
      source: failures("requires eight failures across at least two batches before warning"),
      script: [turn(...batch(0, 8, missing)), turn(missing(8))],
      theirs: "noticed",
      ours: { answer: "silent", byDesign: onceATurn },
    },
    {
      name: "nine files that do not exist in three replies",
      source: failures("stops only after the next complete matching batch"),
      script: [turn(...batch(0, 4, missing)), turn(...batch(4, 8, missing)), turn(missing(8))],
      theirs: "stopped",
      ours: { answer: "silent", byDesign: onceATurn },
    },
    {
      name: "a read that fails and one that succeeds",
      source: failures("resets a streak for a success outcome"),
      script: asTurns([missing(0), read(0)]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "eight commands that fail in two replies, beside a read that succeeds",
      source: failures("keeps counting a failure key when other tools succeed in the same batch"),
      script: [turn(...batch(0, 4, shellFails)), turn(...batch(4, 8, shellFails), read(0))],
      theirs: "noticed",
      ours: { answer: "silent", byDesign: onceATurn },
    },
    {
      name: "eight commands that fail in two replies, with an edit between them",
      source: failures("preserves a failure streak across successful batches from other tools"),
      script: [
        turn(...batch(0, 4, shellFails)),
        turn(call("replace", { path: "barn.ts", old: "hay", new: "grass" }, "replaced once")),
        turn(...batch(4, 8, shellFails)),
      ],
      theirs: "noticed",
      ours: { answer: "silent", byDesign: onceATurn },
    },
    {
      name: "a read that fails, then one that fails beside one that succeeds",
      source: failures("resets when the failing tool also succeeds in the same batch"),
      script: [turn(missing(0)), turn(missing(1), read(0))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a read that fails, then a command that fails beside one that succeeds",
      source: failures("does not let another tool self-recovery reset the tracked candidate"),
      script: [turn(missing(0)), turn(shellFails(0), shell("ls", "barn.txt"))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a read and a command that fail beside a command that succeeds",
      source: failures("counts one failure key when another failing tool succeeds in the batch"),
      script: [turn(missing(0), shellFails(0), shell("ls", "barn.txt"))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "reads that fail for two reasons",
      source: failures("resets mixed failure keys and assigns a new candidate to a new key"),
      script: [
        turn(missing(0)),
        turn(missing(1), fails("read_file", { path: "wolf.txt" }, "permission denied")),
        turn(fails("read_file", { path: "wool.txt" }, "permission denied")),
      ],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a read that fails before and after a message of a person",
      source: failures("resets for boundary condition hasExternalInput"),
      script: [turn(missing(0)), message(), turn(missing(0))],
      theirs: "silent",
      ours: "agree",
    },
  ],
};
