import type { Command } from "commander";
import type { CommandDefinition } from "../command-definition.ts";
import { checkSubcommand } from "../known-subcommand.ts";

/** `sheepdog budget`. */
export const budgetDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const budget = program
    .command("budget")
    .description("show the limits of money and what is spent of them; set them, or raise one of a running run")
    .option("--json", "print one JSON document")
    .allowExcessArguments()
    .action(async (options: { json?: boolean }, command: Command) => {
      checkSubcommand(command);
      const { budgetCommand } = await import("./budget-command.ts");
      setExitCode(await budgetCommand(options, io));
    });
  budget
    .command("set")
    .description("set a limit in your configuration: budget set month 20, budget set run off")
    .argument("<of>", "month, day, session or run")
    .argument("<amount>", "dollars as in 20 or 2.50; off for no limit")
    .action(async (of: string, amount: string) => {
      const { setCommand } = await import("./set-command.ts");
      setExitCode(await setCommand(of, amount, io));
    });
  budget
    .command("raise")
    .description("set a limit of a running run anew: budget raise last 5, +2, turns 50, time 20m, tokens 1M")
    .argument("<run>", "the id of a run or a session, the beginning of one, or last")
    .argument("<amount...>", "dollars in all, +dollars, or turns, time, tokens, session, day, month and how much")
    .action(async (id: string, words: string[]) => {
      const { raiseCommand } = await import("./raise-command.ts");
      setExitCode(await raiseCommand(id, words, io));
    });
};
