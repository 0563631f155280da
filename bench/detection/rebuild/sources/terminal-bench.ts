import type { Clone } from "../clone.ts";
import { lastCharacters } from "../cut.ts";
import { outcomeOf } from "../formats/outcome.ts";
import { asObject, asText } from "../json.ts";
import type { ParsedStep } from "../parsed-run.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** mini-swe-agent on Terminal-Bench: the log of a terminal, one folder a run. */
export const terminalBench: Source = {
  name: "terminalbench-miniswe",
  repository: "laude-institute/terminal-bench-leaderboard",
  commit: "8e1925a397d7ed859c027cc19b3a3d90c16ef8df",
  licence: "none stated",
  readRuns,
};

const submission = "results/terminal-bench-core@0.1.1/20250825_swe-agent-mini_claude-4-sonnet";

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  const blobs = new Map(clone.files(submission).map(({ path, blob }) => [path, blob]));
  for (const [path, blob] of blobs) {
    // <time>/<task>/<trial>/sessions/agent.log
    const [, folder, runId] = /^(.*?([^/]+\/[^/]+)\/[^/]+)\/sessions\/agent\.log$/.exec(path) ?? [];
    if (runId === undefined || !wanted.has(runId)) continue;
    const log = await clone.text(blob);
    if (log === undefined) continue;
    const results = asObject(await clone.json(blobs.get(`${folder}/results.json`)));
    yield {
      runId,
      model: "claude-sonnet-4 (mini-swe-agent)",
      task: asText(results["instruction"]),
      outcome: outcomeOf(results["is_resolved"]),
      steps: stepsOfLog(log),
    };
  }
}

/** Colours and other escape sequences of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const escapeSequence = /\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07|\x1b[=>]/g;
const spinner = /[\u2800-\u28ff] Waiting for the LM to respond\.\.\./g;
const stepHeading = /(?<![^\n])mini-swe-agent \(step \d+, \$[\d.]+\):\n/;
const endOfReply = /(?<![^\n])(?:User:\n|\d\d:\d\d:\d\d - LiteLLM:ERROR)/;

function stepsOfLog(log: string): readonly ParsedStep[] {
  const text = log.replace(escapeSequence, "").replaceAll("\r", "").replace(spinner, "");
  const [, ...steps] = text.split(stepHeading);
  return steps.map(toStep);
}

function toStep(step: string): ParsedStep {
  const replyEnd = step.search(endOfReply);
  const reply = replyEnd < 0 ? step : step.slice(0, replyEnd);
  const [, command] = /```bash\n([\s\S]*?)\n```/.exec(reply.trim()) ?? [];
  if (command === undefined) return { text: reply.trim(), calls: [] };
  const { result, isError } = resultOf(step, step.slice(reply.length));
  return { text: reply.trim(), calls: [{ name: "bash", args: { command }, result, isError }] };
}

/** The exit code and the output, up to a line of dashes. Without an exit code: what was printed after the reply. */
function resultOf(step: string, afterReply: string): { readonly result: string; readonly isError: boolean | null } {
  const [, exitCode, output = ""] = /<returncode>(-?\d+)<\/returncode>\s*([\s\S]*?)(?:\n─{10,}|$)/.exec(step) ?? [];
  if (exitCode !== undefined)
    return { result: `<returncode>${exitCode}</returncode>\n${output.trim()}`, isError: exitCode !== "0" };
  const modelError = /\d\d:\d\d:\d\d - LiteLLM:ERROR[\s\S]*?(?=\n<|$)/g;
  return { result: lastCharacters(afterReply.replace(modelError, ""), 800), isError: null };
}
