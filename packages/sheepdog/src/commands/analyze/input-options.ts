import type { Command } from "commander";
import { append } from "../command-definition.ts";

/** Which runs a look back reads, and by which policy it judges them. */
export interface InputOptions {
  readonly since?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly policy?: string;
  readonly set?: readonly string[];
}

/** Adds the options that `analyze` and its subcommands share. */
export function addInputOptions(command: Command): Command {
  return command
    .option("--since <when>", "only runs since then: 7d, 12h, 2026-01-31")
    .option("--agent <name>", "only runs of this agent, e.g. claude-code or codex")
    .option("--project <folder>", "only runs that worked in this folder, e.g. . or ~/api, or a part of its path")
    .option("--policy <name or file>", "a preset, or a JSON file with changes to the default policy")
    .option(
      "--set <key=value>",
      "change one key, e.g. doom_loop_threshold=5, max_turns=50 or detectors.cycle.hint=4 (repeatable)",
      append,
    );
}
