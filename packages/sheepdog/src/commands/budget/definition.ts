import type { Command } from "commander";
import { type CommandDefinition, refuseUnknownSubcommand } from "../command-definition.ts";

/** `sheepdog budget`. */
export const budgetDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const budget = program
    .command("budget")
    .description("show budgets and spending; set a budget, or raise a limit of a running run")
    .option("--json", "print one JSON document")
    .allowExcessArguments()
    .action(async (options: { json?: boolean }, command: Command) => {
      refuseUnknownSubcommand(command);
      const { budgetCommand } = await import("./budget-command.ts");
      setExitCode(await budgetCommand(options, io));
    });
  budget
    .command("set")
    .description("set a budget in your configuration: budget set month 20, budget set run off")
    .argument("<of>", "month, day, session or run")
    .argument("<amount>", "dollars such as 20 or 2.50; off for no limit")
    .action(async (scope: string, amount: string) => {
      const { setCommand } = await import("./set-command.ts");
      setExitCode(await setCommand(scope, amount, io));
    });
  budget
    .command("raise")
    .description("change a limit of a running run: budget raise last 5, +2, turns 50, time 20m, tokens 1M")
    .argument("<run>", "id of a run or session, the start of an id, or last")
    .argument("<amount...>", "new limit in dollars, +dollars, or turns, time, tokens, session, day, month and a value")
    .action(async (id: string, words: string[]) => {
      const { raiseCommand } = await import("./raise-command.ts");
      setExitCode(await raiseCommand(id, words, io));
    });
};
