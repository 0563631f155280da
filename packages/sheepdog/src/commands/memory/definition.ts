import type { Command } from "commander";
import { append, type CommandDefinition, refuseUnknownSubcommand } from "../command-definition.ts";

const loadRemoval = () => import("./remove-entries.ts");

/** `sheepdog memory`. */
export const memoryDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const load = () => import("./memory-command.ts");
  const list = async (options: { json?: boolean }) => setExitCode(await (await load()).listFacts(options, io));
  const memory = program
    .command("memory")
    .description("manage facts that agents remember across sessions")
    .allowExcessArguments()
    .action(async (options: { json?: boolean }, command: Command) => {
      refuseUnknownSubcommand(command);
      await list(options);
    });
  memory
    .command("list")
    .description("list all facts, newest first")
    .option("--json", "print one JSON document")
    .action(list);
  memory
    .command("search")
    .description("search facts by words")
    .argument("<words...>", "words to search for")
    .option("--json", "print one JSON document")
    .action(async (words: string[], options: { json?: boolean }) =>
      setExitCode(await (await load()).searchFacts(words, options, io)),
    );
  memory
    .command("add")
    .description("add a fact")
    .argument("<text...>", "the fact")
    .option("--tag <tag>", "a word to find the fact by (repeatable)", append)
    .option("--json", "print one JSON document")
    .action(async (words: string[], options: { json?: boolean; tag?: string[] }) =>
      setExitCode(await (await load()).addFact(words, options, io)),
    );
  memory
    .command("remove")
    .description("remove facts")
    .argument("<ids...>", "ids as printed by memory list, or last")
    .action(async (ids: string[]) => setExitCode(await (await loadRemoval()).removeEntries("fact", ids, io)));
  memory
    .command("clear")
    .description("remove all facts")
    .option("--yes", "do not ask")
    .action(async (options: { yes?: boolean }) =>
      setExitCode(await (await loadRemoval()).clearEntries("fact", options, io)),
    );
  defineSafety(memory, { io, setExitCode });
};

/** `sheepdog memory safety`. */
function defineSafety(memory: Command, { io, setExitCode }: Parameters<CommandDefinition>[1]): void {
  const load = () => import("./safety-command.ts");
  const safety = memory
    .command("safety")
    .description("list lessons from calls that you corrected or that did harm")
    .option("--json", "print one JSON document")
    .allowExcessArguments()
    .action(async (options: { json?: boolean }, command: Command) => {
      refuseUnknownSubcommand(command);
      setExitCode(await (await load()).listLessons(options, io));
    });
  safety
    .command("remove")
    .description("remove lessons: such calls are decided as before")
    .argument("<ids...>", "ids as printed by memory safety, or last")
    .action(async (ids: string[]) => setExitCode(await (await loadRemoval()).removeEntries("lesson", ids, io)));
  safety
    .command("clear")
    .description("remove all lessons")
    .option("--yes", "do not ask")
    .action(async (options: { yes?: boolean }) =>
      setExitCode(await (await loadRemoval()).clearEntries("lesson", options, io)),
    );
}
