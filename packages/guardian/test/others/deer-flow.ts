import { asTurns, call, message, says, times, turn } from "@sheepdog/guardian/testing";
import type { OtherProject } from "./other-project.ts";
import { differentCallsAreWork, hintsFirst } from "./reasons.ts";

const bash = (command: string, result = `output of ${command}`) => call("bash", { command }, result);
const list = () => bash("ls", "barn.ts gate.ts");
const words = ["barn", "gate", "well", "hill", "pond", "road", "wolf", "lamb", "wool", "moon", "rain", "snow", "hay"];
const word = (i: number) => `${words[i % words.length]}${i < words.length ? "" : i}`;
const other = (i: number) =>
  bash(`count-${word(i)} --field ${word(i + 3)}`, `${word(i)}: ${i * 17 + 3} found in row ${i}`);
const read = (i: number) =>
  call("read_file", { path: `/farm/${word(i)}.py` }, `def ${word(i)}(): return ${i * 31} # ${word(i + 5)}`);

export const deerFlow: OtherProject = {
  name: "deer-flow",
  repository: "bytedance/deer-flow",
  version: "f1f4af9, 2026-08-22",
  files: [
    "test_loop_detection_middleware.py",
    "test_loop_detection_stop_reason.py",
    "test_loop_detection_config.py",
  ].map((file) => `backend/tests/${file}`),
  notTranslated: {
    count: 58,
    about: "how a warning reaches the model, threads and runs, resets, stop reasons, message formats, configuration",
  },
  tests: [
    {
      name: "the same command three times",
      source: "test_same_calls_same_hash",
      script: times(3, list),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "two commands in turn, two of the first and one of the second",
      source: "test_different_calls_different_hash",
      script: asTurns([list(), bash("pwd", "/farm"), list()]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same two calls three times, once in the other order",
      source: "test_order_independent",
      script: times(3, (i) => (i === 1 ? turn(read(0), list()) : turn(list(), read(0)))),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same read three times, once with its arguments as JSON text",
      source: "test_stringified_dict_args_match_dict_args",
      script: times(3, (i) => ({
        ...read(0),
        args: i === 1 ? '{"path":"/farm/barn.py","start_line":"1"}' : { path: "/farm/barn.py", start_line: "1" },
      })),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same lines read three times, once with the range reversed",
      source: "test_reversed_read_file_range_matches_forward_range",
      script: times(3, (i) => ({
        ...read(0),
        args: { path: "/farm/barn.py", start_line: i === 1 ? 300 : 10, end_line: i === 1 ? 10 : 300 },
      })),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "arguments that are no object",
      source: "test_stringified_non_dict_args_do_not_crash",
      script: asTurns([call("bash", '"echo sheep"', "sheep"), call("bash", "echo goat", "goat")]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a search for three words",
      source: "test_grep_pattern_affects_hash",
      script: times(3, (i) =>
        call("grep", { path: "/farm", pattern: word(i) }, `/farm/${word(i)}.py:${i + 4}: ${word(i)}`),
      ),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a search for files of three types",
      source: "test_glob_pattern_affects_hash",
      script: times(3, (i) => {
        const type = ["py", "ts", "md"][i];
        return call("glob", { path: "/farm", pattern: `*.${type}` }, `/farm/${word(i)}.${type}`);
      }),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a file written with three contents",
      source: "test_write_file_content_affects_hash",
      script: times(3, (i) => call("write_file", { path: "/farm/barn.py", content: `sheep = ${word(i)}` }, "ok")),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same text replaced by three others",
      source: "test_str_replace_content_affects_hash",
      script: times(3, (i) =>
        call("str_replace", { path: "/farm/barn.py", old_str: "sheep", new_str: word(i) }, "replaced once"),
      ),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a reply without calls",
      source: "test_no_tool_calls_returns_none",
      script: [says("Good morning")],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same command twice",
      source: "test_below_threshold_returns_none",
      script: times(2, list),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same command in a third reply",
      source: "test_warn_at_threshold_queues_but_does_not_mutate_state",
      script: times(3, list),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same command four times, where they stop at four",
      source: "test_hard_stop_at_limit",
      script: times(4, list),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "the same command twice, where they warn at two",
      source: "test_constructed_middleware_queues_loop_warning",
      script: times(2, list),
      theirs: "noticed",
      ours: { answer: "silent", byDesign: "Looking twice is common in honest work. The hint comes at the third." },
    },
    {
      name: "three different commands, where they stop at three calls of a tool",
      source: "test_tool_frequency_hard_stop_stamps_loop_capped",
      script: times(3, other),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "ten different commands",
      source: "test_different_calls_dont_trigger",
      script: times(10, other),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a command twice, five others, the command again",
      source: "test_window_sliding",
      script: [...times(2, list), ...times(5, other), ...times(1, list)],
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign: "The guardian remembers more calls than they do. The third equal answer is worth a hint, no more.",
      },
    },
    {
      name: "a message and no reply",
      source: "test_non_ai_message_ignored",
      script: [message()],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "nothing at all",
      source: "test_empty_messages_ignored",
      script: [],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "four files are read, where they warn at five",
      source: "test_below_freq_warn_returns_none",
      script: times(4, read),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "five files are read, where they warn at five",
      source: "test_freq_warn_at_threshold",
      script: times(5, read),
      theirs: "noticed",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "six files are read, where they stop at six",
      source: "test_freq_hard_stop_at_limit",
      script: times(6, read),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "eight files are read, each followed by another command",
      source: "test_windowed_frequency_decay_avoids_hard_stop_when_interleaved",
      script: times(8, (i) => [read(i), other(i)]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "four files are read in a row, where they stop at four",
      source: "test_rapid_identical_tool_type_in_one_window_still_hard_stops",
      script: times(4, read),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "two files are read, then two commands",
      source: "test_different_tools_tracked_independently",
      script: [...times(2, read), ...times(2, other)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a third file after two files and two commands, where they warn at three",
      source: "test_different_tools_tracked_independently, at the end",
      script: [...times(2, read), ...times(2, other), turn(read(2))],
      theirs: "noticed",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "five files in three replies, where they warn at five",
      source: "test_multi_tool_single_response_counted",
      script: [turn(read(0), read(1)), turn(read(2), read(3)), turn(read(4))],
      theirs: "noticed",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "ten different commands of a tool with its own limit",
      source: "test_override_tool_uses_override_thresholds",
      script: times(10, other),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "three files are read, where only another tool has its own limit",
      source: "test_non_override_tool_falls_back_to_global",
      script: times(3, read),
      theirs: "noticed",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "the same file three times, where they stop at three",
      source: "test_hash_detection_takes_priority",
      script: times(3, () => read(0)),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "50 different commands",
      source: "test_tight_burst_hard_stops_under_default_config",
      script: times(50, other),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
  ],
};
