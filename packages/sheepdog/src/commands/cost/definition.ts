import { type Command, Option } from "commander";
import { type CommandDefinition, refuseUnknownSubcommand } from "../command-definition.ts";
import type { CostOptions } from "./cost-command.ts";
import type { SettleOptions } from "./settle-command.ts";

/** `sheepdog cost`. */
export const costDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const cost = program
    .command("cost")
    .description("show money spent: today, this month and by model; or by day, month, purpose, session or tool")
    .addOption(
      new Option("--by <group>", "group the sums").choices(["day", "month", "model", "purpose", "session", "tool"]),
    )
    .option("--since <when>", "only spending since then: 7d, 12h, 2026-01-31")
    .addOption(
      new Option("--unconfirmed", "list requests whose process ended before their cost was known").conflicts([
        "by",
        "since",
      ]),
    )
    .option("--json", "print one JSON document")
    .allowExcessArguments()
    .action(async ({ unconfirmed, ...options }: CostOptions & { unconfirmed?: true }, command: Command) => {
      refuseUnknownSubcommand(command);
      if (unconfirmed) {
        const { unconfirmedCommand } = await import("./unconfirmed-command.ts");
        setExitCode(await unconfirmedCommand(options, io));
        return;
      }
      const { costCommand } = await import("./cost-command.ts");
      setExitCode(await costCommand(options, io));
    });
  cost
    .command("settle")
    .description("settle an unconfirmed request with the amount of your provider's bill")
    .argument("<request>", "id of the request, or its start; see: cost --unconfirmed")
    .option("--amount <dollars>", "what the request has cost, such as 0.12")
    .option("--zero", "the request has cost nothing")
    .option("-y, --yes", "do not ask")
    .action(async (id: string, options: SettleOptions) => {
      const { settleCommand } = await import("./settle-command.ts");
      setExitCode(await settleCommand(id, options, io));
    });
};
