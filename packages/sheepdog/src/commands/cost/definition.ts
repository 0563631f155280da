import { Option } from "commander";
import type { CommandDefinition } from "../command-definition.ts";
import type { CostOptions } from "./cost-command.ts";

/** `sheepdog cost`. */
export const costDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("cost")
    .description("show money spent: today, this month and by model; or by day, month, purpose, session or tool")
    .addOption(
      new Option("--by <group>", "group the sums").choices(["day", "month", "model", "purpose", "session", "tool"]),
    )
    .option("--since <when>", "only spending since then: 7d, 12h, 2026-01-31")
    .option("--json", "print one JSON document")
    .action(async (options: CostOptions) => {
      const { costCommand } = await import("./cost-command.ts");
      setExitCode(await costCommand(options, io));
    });
};
