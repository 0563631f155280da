import type { CommandDefinition } from "../command-definition.ts";
import type { RunsOptions } from "./runs-command.ts";

/** `sheepdog runs`. */
export const runsDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("runs")
    .description("list runs and sessions of attached agents, newest first: result, cost, guardian interventions")
    .option("--agent <agent>", "only runs of this agent: sheepdog, or one it is attached to, such as claude-code")
    .option("--all", "list all runs, with subagents below the run that started them")
    .option("--limit <n>", "number of runs to list (20)")
    .option("--state <state>", "running, waiting, broken-off, completed or stopped; or a reason such as doom_loop")
    .option("--since <when>", "only runs since then: 7d, 12h, 2026-01-31")
    .option("--workspace [folder]", "only runs that worked in this folder, or in the given one")
    .option("--json", "print one JSON document")
    .action(async (options: RunsOptions) => {
      const { runsCommand } = await import("./runs-command.ts");
      setExitCode(await runsCommand(options, io));
    });
};
