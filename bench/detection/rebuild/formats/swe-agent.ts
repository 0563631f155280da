import { asList, asObject, asText, type JsonObject } from "../json.ts";
import type { ParsedCall, ParsedStep } from "../parsed-run.ts";
import { reportsShellError } from "./shell-error.ts";

/** Commands of SWE-agent and MLGym that count as tools of their own; everything else is a call of the shell. */
const commands = new Set(
  (
    "open goto scroll_down scroll_up edit search_dir search_file find_file create submit insert str_replace_editor " +
    "skip exit_cost exit_context exit_format validate load read write memory_write memory_read parse_file"
  ).split(" "),
);

/** The steps of a `.traj` file: each has one thought, one action and one observation. */
export function stepsOfTrajectory(trajectory: JsonObject): readonly ParsedStep[] {
  return asList(trajectory["trajectory"]).map((entry) => {
    const { thought, action, observation } = asObject(entry);
    return { text: asText(thought), calls: [toCall(asText(action), asText(observation))] };
  });
}

/** The text of the issue in the first prompt that has one. Demonstrations do not count. */
export function issueOfTrajectory(trajectory: JsonObject): string {
  for (const message of asList(trajectory["history"]).map(asObject)) {
    if (message["role"] !== "user" || message["is_demo"]) continue;
    const [, issue] = /ISSUE:\s*([\s\S]*?)\n\s*INSTRUCTIONS/.exec(asText(message["content"])) ?? [];
    if (issue !== undefined) return issue;
  }
  return "";
}

function toCall(action: string, observation: string): ParsedCall {
  const command = action.replace(/^\n+|\n+$/g, "");
  const [firstWord = ""] = command.trim().split(/\s/);
  return {
    name: commands.has(firstWord) ? firstWord : "bash",
    args: { command },
    result: observation,
    isError: reportsShellError(observation),
  };
}
