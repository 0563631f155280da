import type { CommandDefinition } from "../command-definition.ts";
import type { PruneFlags } from "./prune-command.ts";

/** `sheepdog prune`. */
export const pruneDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("prune")
    .description("remove old sessions with their logs; shows which, and asks first")
    .option("--older-than <time>", "what was not written to for so long: 30d, 8w (90d where nothing else is said)")
    .option("--max-size <size>", "the oldest of what is more than that, of sessions and of logs: 500MB, 1GB")
    .option("--with-unfinished", "also sessions that could be resumed")
    .option("--dry-run", "show what would be removed, and remove nothing")
    .option("--yes", "do not ask")
    .option("--json", "print one JSON document")
    .action(async (flags: PruneFlags) => {
      const { pruneCommand } = await import("./prune-command.ts");
      setExitCode(await pruneCommand(flags, io));
    });
};
