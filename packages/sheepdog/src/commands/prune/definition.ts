import type { CommandDefinition } from "../command-definition.ts";
import type { PruneFlags } from "./prune-command.ts";

/** `sheepdog prune`. */
export const pruneDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("prune")
    .description("remove old sessions and their logs; lists them and asks first")
    .option("--older-than <time>", "sessions unchanged for this long: 30d, 8w (default: 90d)")
    .option("--max-size <size>", "the oldest sessions, and the oldest logs, above this size: 500MB, 1GB")
    .option("--audit-older-than <time>", "rows of the audit trail older than this (default: 365d)")
    .option("--with-unfinished", "also sessions that can be resumed")
    .option("--dry-run", "show what would be removed; remove nothing")
    .option("--yes", "do not ask")
    .option("--json", "print one JSON document")
    .action(async (flags: PruneFlags) => {
      const { pruneCommand } = await import("./prune-command.ts");
      setExitCode(await pruneCommand(flags, io));
    });
};
