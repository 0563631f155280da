import { asTurns, call, fails, message, type ScriptStep, signal, times, turn } from "@sheepdog/guardian/testing";
import type { OtherProject } from "./other-project.ts";
import { differentCallsAreWork, hintsFirst } from "./reasons.ts";

const search = () => fails("web_search", { query: "sheep" }, '{"error":"the service is down"}');
const redTests = () =>
  fails("terminal", { command: "pytest test_barn.py -q" }, '{"output": "1 failed", "exit_code": 1}');
const patch = (i: number) =>
  call(
    "patch",
    { path: "barn.py", old_string: "sheep", new_string: `sheep_${i}` },
    '{"success": true, "diff": "+1 -1"}',
  );
const provider = () => call("terminal", { command: "farm config get store.provider" }, "local\n");
const list = () => call("terminal", { command: "ls" }, "barn\ngate\n");
const viewSkill = () =>
  call("skill_view", { name: "shearing" }, '{"success":true,"name":"shearing","content":"how to"}');
const listSkills = () => call("skills_list", { category: "farm" }, '{"success":true,"skills":[{"name":"shearing"}]}');
const orderedKeys = { where: { y: 2, x: "hill" }, list: [{ β: "ram", a: 1 }] };
const otherOrder = { list: [{ a: 1, β: "ram" }], where: { x: "hill", y: 2 } };

/** A cell of code whose answer has a number and a duration that change. */
const cell = (output: string, i: number) =>
  call(
    "execute_code",
    { code: "count_sheep(quiet=True)" },
    JSON.stringify({
      status: "success",
      output,
      exit_code: 0,
      duration_seconds: 1 + i / 100,
      kernel: { mode: "session", execution_count: 100 + i },
    }),
  );

const startSubagent = (i: number): ScriptStep => signal({ type: "child-start", id: `subagent-${i}`, depth: 1 });
const subagents = (perRun: number) => ({ spawn: { depth: 4, perRun, perMinute: 20 } });

const runtime = (name: string) => `test_tool_call_guardrail_runtime.py: ${name}`;

export const hermesAgent: OtherProject = {
  name: "hermes-agent",
  repository: "NousResearch/hermes-agent",
  version: "06c25ac and 01ec6a4, one for each file, dates unknown",
  files: ["tests/agent/test_tool_guardrails.py", "tests/run_agent/test_tool_call_guardrail_runtime.py"],
  notTranslated: {
    count: 10,
    about: "configuration, which platforms stop, classifying results, rewritten calls, a nudge for one kind of worker",
  },
  tests: [
    {
      name: "a failing call three times, once with its keys in another order",
      source: "test_tool_call_signature_hashes_canonical_nested_unicode_args_without_exposing_raw_args",
      script: times(3, (i) => fails("web_search", i === 1 ? otherOrder : orderedKeys, "the service is down")),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same failing search five times, where they only warn",
      source: "test_default_repeated_identical_failed_call_warns_without_blocking",
      script: times(5, search),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same failing search three times, where they refuse the third",
      source: "test_hard_stop_enabled_blocks_repeated_exact_failure_before_next_execution",
      script: times(3, search),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "the same skill viewed three times, where they refuse the third",
      source: "test_skill_read_tools_are_idempotent_and_block_repeated_identical_success_output",
      script: times(3, viewSkill),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "the same list of skills three times, where they refuse the third",
      source: "test_skill_read_tools_are_idempotent_and_block_repeated_identical_success_output, second tool",
      script: times(3, listSkills),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "the same file written three times, and an unknown tool in between",
      source: "test_mutating_or_unknown_tools_are_not_blocked_for_repeated_identical_success_output_by_default",
      script: times(3, () => [
        call("write_file", { path: "/tmp/barn", content: "sheep" }, "ok"),
        call("custom_tool", { x: 1 }, "ok"),
      ]),
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign: "Writing the same content to the same file a third time has no effect. A hint refuses nothing.",
      },
    },
    {
      name: "the same successful command five times",
      source: "test_identical_call_streak_halts_any_tool_when_hard_stop_enabled",
      script: times(5, provider),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same listing six times, where they only notify",
      source: "test_identical_call_streak_never_halts_when_hard_stop_disabled_or_for_pollers",
      script: times(6, list),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a process that is polled six times and is still running",
      source: "test_identical_call_streak_never_halts_when_hard_stop_disabled_or_for_pollers, poller",
      script: times(6, () => call("process_manage", { action: "poll", session_id: "p1" }, "running")),
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign: "Five equal answers without a pause are worth a hint. Polls ten seconds apart get none.",
      },
    },
    {
      name: "the same command six times, with another answer each time",
      source: "test_identical_call_streak_never_halts_when_hard_stop_disabled_or_for_pollers, changing",
      script: times(6, (i) => call("terminal", { command: "date" }, `t${i}`)),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "four different searches, where three are allowed",
      source: "test_web_search_cap_blocks_after_limit_regardless_of_hard_stop",
      script: times(4, (i) => {
        const topic = ["wool prices", "wolf tracks", "rain forecast", "gate hinges"][i];
        return call("web_search", { query: topic }, `Ten pages about ${topic}`);
      }),
      theirs: "stopped",
      ours: { answer: "silent", byDesign: differentCallsAreWork },
    },
    {
      name: "six subagents, where five are allowed",
      source: "test_subagent_cap_uses_commit_model",
      policy: subagents(5),
      script: times(6, startSubagent),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "another subagent after a message of a person, where one is allowed",
      source: "test_subagent_cap_resets_each_turn",
      policy: subagents(1),
      before: times(2, startSubagent),
      script: [message(), startSubagent(2)],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "twelve failing test runs, with an edit after each",
      source: "test_fix_retest_loop_is_never_hard_stopped",
      script: times(12, (i) => [redTests(), patch(i)]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "six failing test runs without an edit",
      source: "test_pure_replay_with_no_intervening_change_is_still_blocked",
      script: times(6, redTests),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "four failing test runs, an edit, six failing test runs",
      source: "test_intervening_mutation_resets_the_replay_streak_only_once",
      script: [
        ...times(4, redTests),
        turn(call("write_file", { path: "barn.py", content: "sheep = 12" }, '{"bytes_written": 10}')),
        ...times(6, redTests),
      ],
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "twelve different searches of a file that find nothing",
      source: "test_distinct_failing_terminal_commands_warn_but_never_halt",
      script: times(12, (i) =>
        fails("terminal", { command: `grep -q lamb${i} flock.txt` }, '{"output": "1 failed", "exit_code": 1}'),
      ),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "messages to eight people, none of which can be sent",
      source: "test_distinct_failing_terminal_commands_warn_but_never_halt, other tool",
      script: times(8, (i) => fails("send_message", { to: `shepherd${i}` }, '{"error": "no connection"}')),
      theirs: "stopped",
      ours: {
        answer: "noticed",
        byDesign: "The guardian hints at four failures of a tool, warns at six, and ends the run at ten.",
      },
    },
    {
      name: "a page that does not load eight times, with a click on retry after each",
      source: "test_browser_retry_after_action_is_not_a_replay",
      script: times(8, () => [
        fails("browser_navigate", { url: "https://farm.example/flock" }, '{"error": "timeout"}'),
        call("browser_click", { selector: "#again" }, '{"ok": true}'),
      ]),
      theirs: "silent",
      ours: {
        answer: "stopped",
        byDesign: "The same failure and the same click in turn: after five laps the next one leads nowhere either.",
      },
    },
    {
      name: "an empty answer five times, with another count and duration each time",
      source: "test_identical_streak_ignores_volatile_execution_metadata",
      script: times(5, (i) => cell("", i)),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same code six times, with other output each time",
      source: "test_identical_streak_still_resets_when_real_output_changes",
      script: times(6, (i) => cell(`line ${i}`, i)),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the status of a job six times, in which a duration and a count rise",
      source: "test_other_tools_keep_duration_and_execution_count_as_real_output",
      script: times(6, (i) =>
        call(
          "mcp_ci_job_status",
          { job: "shearing-7" },
          JSON.stringify({ status: "done", duration_seconds: 10 + i, stats: { execution_count: 100 + i } }),
        ),
      ),
      theirs: "silent",
      ours: {
        answer: "noticed",
        wrong: "A false hint: durations and counts are masked as noise, also where they are what was asked for.",
      },
    },
    {
      name: "the same short output twice",
      source: "test_execute_code_replay_streak_notice_fires_on_warn_only_desktop_config, first two",
      script: times(2, (i) => cell("...\n", i)),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same short output six times",
      source: "test_execute_code_replay_streak_notice_fires_on_warn_only_desktop_config",
      script: times(6, (i) => cell("...\n", i)),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a failing search a sixth time, where no person watches",
      source: runtime("test_gateway_platform_uses_hard_stop_default_without_cli_opt_in"),
      script: times(6, search),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "a failing search a sixth time, where a person watches",
      source: runtime("test_interactive_platforms_keep_warning_only_default"),
      script: times(6, search),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a failing search a third time, where they only warn",
      source: runtime("test_default_sequential_path_warns_repeated_exact_failure_without_blocking_execution"),
      script: times(3, search),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a failing search a third time, where they refuse it",
      source: runtime("test_config_enabled_hard_stop_blocks_repeated_exact_failure_before_execution"),
      script: times(3, search),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "a failing search a second time",
      source: runtime("test_sequential_after_call_appends_guidance_to_tool_result_without_extra_messages"),
      script: times(2, search),
      theirs: "noticed",
      ours: {
        answer: "silent",
        byDesign: "One retry of a failed call is common in honest work. The hint comes at the third failure.",
      },
    },
    {
      name: "three different commands that fail",
      source: runtime("test_same_tool_failure_warning_tells_model_to_recover_with_tools"),
      script: times(3, (i) => fails("terminal", { command: ["shear", "milk", "feed"][i] }, '{"exit_code": 1}')),
      theirs: "noticed",
      ours: {
        answer: "silent",
        byDesign:
          "Three failures of different commands are no loop yet. The hint comes at the fourth failure of a tool.",
      },
    },
    {
      name: "a failing search a third time, beside another one in the same reply",
      source: runtime(
        "test_config_enabled_hard_stop_concurrent_path_does_not_submit_blocked_calls_and_preserves_result_order",
      ),
      script: [...times(2, search), turn(search(), call("web_search", { query: "goats" }, "Ten pages about goats"))],
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: hintsFirst },
    },
    {
      name: "a call that a rule refuses once",
      source: runtime("test_plugin_pre_tool_block_wins_without_counting_as_toolguard_block"),
      script: asTurns([fails("web_search", { query: "sheep" }, "not allowed", "denied"), search()]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a failing search three times, then an answer",
      source: runtime("test_default_run_conversation_warns_without_guardrail_halt"),
      script: [...times(3, search), { type: "says", text: "The search is down.", stop: "end" }],
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a failing search nine times",
      source: runtime("test_guardrail_halt_emits_final_response_through_stream_delta_callback"),
      script: times(9, search),
      theirs: "stopped",
      ours: "agree",
    },
  ],
};
