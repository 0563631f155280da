import {
  asTurns,
  call,
  compacted,
  fails,
  message,
  type ScriptStep,
  says,
  signal,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import type { OtherProject } from "./other-project.ts";
import { hintIsNoForce, hintsFirst, sameFailureElsewhere } from "./reasons.ts";

const listing = (result = "barn.ts\ngate.ts") => call("terminal", { command: "ls" }, result);
const emptyListing = () => listing("");
const missing = (error: string) => fails("terminal", { command: "shear --all" }, error);
const readBarn = () => call("read_file", { path: "barn.ts" }, "export const sheep = 12;");
const where = () => call("terminal", { command: "pwd" }, "/home/shepherd");
const readGate = () => call("read_file", { path: "gate.ts" }, "export const isOpen = false;");

/** Without a person, the messages of a user are automatic. */
const automatic = message("automatic");

/** A cell of Python that cannot be parsed. */
const cell = (line: number, complaint: string) =>
  fails(
    "ipython",
    { code: "replace_in_file('flock.py', old='''def count(flock):\n    if not flock:\n" },
    `  Cell In[1], line ${line}\n    old='''def count(flock):\n    ^\nSyntaxError: ${complaint}`,
  );
const sameCell = (complaint: string, count = 4) => times(count, () => cell(42, complaint));
const movingCell = (complaint: string, count = 4) => times(count, (i) => cell(10 * (i + 1), complaint));
const unterminated = (line: number, rest = "") =>
  fails(
    "ipython",
    { code: "print('sheep" },
    `    print('sheep\n    ^\nSyntaxError: unterminated string literal (detected at line ${line})${rest}`,
  );

const stuckSubagent: readonly ScriptStep[] = [
  signal({ type: "child-start", id: "counter", depth: 1 }),
  signal({ type: "child-end", id: "counter", depth: 1, findings: ["doom-loop"] }),
];

const sdk = (name: string, file = "test_stuck_detector.py") => `software-agent-sdk ${file}: ${name}`;

export const openHands: OtherProject = {
  name: "OpenHands",
  repository: "OpenHands/OpenHands, OpenHands/software-agent-sdk",
  version: "d6fab19, 2025-11-15; software-agent-sdk 28f897a, 57154b3 and 35d683d, one for each file, dates unknown",
  files: [
    "tests/unit/controller/test_is_stuck.py",
    "tests/unit/controller/test_agent_controller_loop_recovery.py",
    "software-agent-sdk tests/cross/test_stuck_detector*.py",
  ],
  notTranslated: {
    count: 16,
    about: "how a run recovers after a choice of the user, the name of the reason, events, thresholds, empty histories",
  },
  tests: [
    {
      name: "a greeting and one command",
      source: "test_history_too_short",
      script: [message(), ...times(1, () => listing())],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same listing four times, always empty",
      source: "test_interactive_mode_resets_after_user_message",
      script: times(4, emptyListing),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "two more of these listings after a person has spoken",
      source: "test_interactive_mode_resets_after_user_message, after the message",
      before: times(4, emptyListing),
      script: [message(), ...times(2, emptyListing)],
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign: "The message excuses the first look. The second one is the sixth equal answer.",
      },
    },
    {
      name: "four more of these listings after a person has spoken",
      source: "test_interactive_mode_resets_after_user_message, at the end",
      before: times(4, emptyListing),
      script: [message(), ...times(4, emptyListing)],
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same listing three times, with an automatic message in between",
      source: "test_is_stuck_repeating_action_observation, before the fourth",
      script: [says("Good morning"), ...times(2, emptyListing), automatic, ...times(1, emptyListing)],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: hintIsNoForce },
    },
    {
      name: "the same listing four times, with an automatic message in between",
      source: "test_is_stuck_repeating_action_observation",
      script: [says("Good morning"), ...times(2, emptyListing), automatic, ...times(2, emptyListing)],
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "a command that fails four times, with three wordings of the error",
      source: "test_is_stuck_repeating_action_error",
      script: [
        ...asTurns([missing("shear: command not found"), missing("shear is still not there, or something else")]),
        automatic,
        ...asTurns([missing("another problem"), missing("shear: command not found")]),
      ],
      theirs: "stopped",
      ours: {
        answer: "silent",
        wrong: "Missed: differently worded failures of the same call count as different failures.",
      },
    },
    {
      name: "the same syntax error four times",
      source: "test_is_stuck_invalid_syntax_error",
      script: sameCell("invalid syntax"),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "the same code fails four times, each time at another line number",
      source: "test_is_not_stuck_invalid_syntax_error_random_lines",
      script: movingCell("invalid syntax"),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: sameFailureElsewhere },
    },
    {
      name: "the same code fails three times, each time at another line number",
      source: "test_is_not_stuck_invalid_syntax_error_only_three_incidents",
      script: movingCell("invalid syntax", 3),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: sameFailureElsewhere },
    },
    {
      name: "the same incomplete code four times",
      source: "test_is_stuck_incomplete_input_error",
      script: sameCell("incomplete input"),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "the same incomplete code four times, each time at another line number",
      source: "test_is_not_stuck_incomplete_input_error",
      script: movingCell("incomplete input"),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: sameFailureElsewhere },
    },
    {
      name: "an open string four times, each time at another line number",
      source: "test_is_not_stuck_ipython_unterminated_string_error_random_lines",
      script: times(4, (i) => unterminated(10 * (i + 1))),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: sameFailureElsewhere },
    },
    {
      name: "an open string twice",
      source: "test_is_not_stuck_ipython_unterminated_string_error_only_two_incidents",
      script: times(2, () => unterminated(1)),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "an open string four times",
      source: "test_is_stuck_ipython_unterminated_string_error",
      script: times(4, () => unterminated(1)),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "an open string four times, each time with other output after the error",
      source: "test_is_not_stuck_ipython_syntax_error_not_at_end",
      script: asTurns([
        unterminated(1, "\nThe flock is on the hill"),
        unterminated(1, "\nMore text about many lambs"),
        unterminated(3, "\nStop"),
        unterminated(2, "\nFinal words from the kernel"),
      ]),
      theirs: "silent",
      ours: { answer: "noticed", byDesign: sameFailureElsewhere },
    },
    {
      name: "listing and reading, three times in turn, with an automatic message in between",
      source: "test_is_stuck_repeating_action_observation_pattern",
      script: [
        message(),
        ...times(2, () => [listing(), readBarn()]),
        automatic,
        ...times(1, () => [listing(), readBarn()]),
      ],
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: "The guardian hints at the third lap and refuses after the fifth." },
    },
    {
      name: "two files are read, and the second one again after a message",
      source: "test_is_stuck_not_stuck",
      script: [
        says("Good morning"),
        ...asTurns([listing(), readBarn(), where(), readGate()]),
        automatic,
        ...asTurns([where(), readGate()]),
      ],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same message three times in a row",
      source: "test_is_stuck_monologue",
      script: [
        message(),
        says("Good morning to you."),
        message(),
        turn(call("terminal", { command: "echo 12" }, "12")),
        ...times(3, () => says("All the sheep are well, thank you.")),
      ],
      theirs: "stopped",
      ours: {
        answer: "noticed",
        byDesign: "The guardian hints at the third equal reply, warns at the fourth, and ends the run at the sixth.",
      },
    },
    {
      name: "the same message twice after a command",
      source: "test_is_stuck_monologue, at the end",
      before: times(3, () => says("All the sheep are well, thank you.")),
      script: [
        turn(call("terminal", { command: "count-sheep" }, "12 sheep on the hill")),
        ...times(2, () => says("All the sheep are well, thank you.")),
      ],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "ten compactions in a row",
      source: "test_is_stuck_context_window_error_loop",
      script: [message(), ...times(10, () => compacted)],
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "ten compactions with commands between them",
      source: "test_is_not_stuck_context_window_error_with_other_events",
      script: [
        message(),
        ...times(9, (i) => [
          compacted,
          call("terminal", { command: `ls field-${i}` }, `lamb-${i}.txt ewe-${i}.txt`),
          ...(i % 2 === 0 ? [call("read_file", { path: `lamb-${i}.txt` }, `This lamb has the ear tag ${i}`)] : []),
        ]),
        compacted,
      ],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "nine compactions in a row",
      source: "test_is_not_stuck_context_window_error_less_than_ten",
      script: [message(), ...times(9, () => compacted)],
      theirs: "silent",
      ours: {
        answer: "stopped",
        byDesign: "Three compactions in a row that leave the context full will not be helped by seven more.",
      },
    },
    {
      name: "ten compactions with automatic messages between them",
      source: "test_is_stuck_context_window_error_with_user_messages",
      script: [message(), ...times(10, () => [compacted, automatic])],
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "a person speaks after ten compactions",
      source: "test_is_not_stuck_context_window_error_in_non_headless",
      before: times(10, () => compacted),
      script: [message()],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a subagent ends stuck",
      source: "test_is_stuck_delegate_stuck",
      script: stuckSubagent,
      theirs: "stopped",
      ours: {
        answer: "silent",
        byDesign:
          "The run above may still do the work in another way. The guardian hints at the second stuck subagent.",
      },
    },
    {
      name: "old messages, then the same listing four times",
      source: sdk("test_is_stuck_uses_only_recent_event_window"),
      script: [...times(50, () => message()), ...times(3, () => says("Good.")), ...times(4, () => listing())],
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "the same listing three times",
      source: sdk("test_repeating_action_observation_not_stuck_less_than_4_repeats"),
      script: [message(), ...times(3, () => listing())],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: hintIsNoForce },
    },
    {
      name: "the same listing four times",
      source: sdk("test_repeating_action_observation_stuck"),
      script: [message(), ...times(4, () => listing())],
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "a command that fails twice",
      source: sdk("test_repeating_action_error_stuck, before the third"),
      script: [message(), ...times(2, () => missing("shear: command not found"))],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a command that fails three times",
      source: sdk("test_repeating_action_error_stuck"),
      script: [message(), ...times(3, () => missing("shear: command not found"))],
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "three messages that differ in a number",
      source: sdk("test_agent_monologue_stuck"),
      script: [message(), ...times(3, (i) => says(`Counting the sheep ... ${i}`))],
      theirs: "stopped",
      ours: { answer: "silent", byDesign: "Similar replies count 0.8 each, so the hint comes with the fourth." },
    },
    {
      name: "four different commands",
      source: sdk("test_not_stuck_with_different_actions"),
      script: [
        message(),
        ...asTurns([
          listing(),
          where(),
          call("terminal", { command: "whoami" }, "shepherd"),
          call("terminal", { command: "uname" }, "Linux"),
        ]),
      ],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "another command after a loop and a message of a person",
      source: sdk("test_reset_after_user_message"),
      before: [message(), ...times(4, () => listing())],
      script: [message(), turn(where())],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same listing four times, where their threshold is six",
      source: sdk("test_custom_action_observation_threshold", "test_stuck_detector_config.py"),
      script: [message(), ...times(4, () => listing())],
      theirs: "silent",
      ours: { answer: "noticed", byDesign: hintIsNoForce },
    },
    {
      name: "the same listing six times",
      source: sdk("test_custom_action_observation_threshold, at the end", "test_stuck_detector_config.py"),
      script: [message(), ...times(6, () => listing())],
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same announcement four times",
      source: sdk("test_detect_reason_monologue", "test_stuck_detector_typed_reason.py"),
      script: [message(), ...times(4, () => says("Next, the gate will be closed."))],
      theirs: "stopped",
      ours: {
        answer: "noticed",
        byDesign: "The guardian hints at the third equal reply, warns at the fourth, and ends the run at the sixth.",
      },
    },
  ],
};
