import { Option } from "commander";
import type { CommandDefinition } from "../command-definition.ts";
import type { AuditOptions } from "./audit-command.ts";

/** `sheepdog audit`. */
export const auditDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("audit")
    .description("list decisions about calls, newest first: what was allowed or refused, why, and what came of it")
    .option("--session <id>", "only decisions of this session")
    .option("--run <run>", "only decisions of this run; last for the last one")
    .option("--tool <name>", "only calls of this tool")
    .addOption(new Option("--decision <decision>", "only such decisions").choices(["allow", "ask", "deny"]))
    .option("--tier <n>", "only calls of this tier, 0 to 4, or a higher one")
    .addOption(
      new Option("--outcome <outcome>", "only such outcomes").choices([
        ...["harmless", "near_miss", "incident", "corrected", "unknown"],
      ]),
    )
    .option("--since <when>", "only decisions since then: 2h, 7d, 2026-01-31")
    .option("--limit <n>", "number of decisions to list (50)")
    .option("--follow", "print new decisions as they are saved, of all processes, until Ctrl-C")
    .option("--json", "print one JSON document; with --follow, one JSON line for each decision")
    .action(async (options: AuditOptions) => {
      const { auditCommand } = await import("./audit-command.ts");
      setExitCode(await auditCommand(options, io));
    });
};
