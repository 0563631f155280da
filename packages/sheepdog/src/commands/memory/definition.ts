import type { Command } from "commander";
import { append, type CommandDefinition } from "../command-definition.ts";
import { checkSubcommand } from "../known-subcommand.ts";

/** `sheepdog memory`. */
export const memoryDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const load = () => import("./memory-command.ts");
  const list = async (options: { json?: boolean }) => setExitCode(await (await load()).listFacts(options, io));
  const memory = program
    .command("memory")
    .description("what agents remember over sessions: list, search, add, remove, clear")
    .allowExcessArguments()
    .action(async (options: { json?: boolean }, command: Command) => {
      checkSubcommand(command);
      await list(options);
    });
  memory
    .command("list")
    .description("list all facts, the newest first")
    .option("--json", "print one JSON document")
    .action(list);
  memory
    .command("search")
    .description("find facts by words")
    .argument("<words...>", "what to look for")
    .option("--json", "print one JSON document")
    .action(async (words: string[], options: { json?: boolean }) =>
      setExitCode(await (await load()).searchFacts(words, options, io)),
    );
  memory
    .command("add")
    .description("remember something")
    .argument("<text...>", "the fact")
    .option("--tag <tag>", "a word to find it by (repeatable)", append)
    .option("--json", "print one JSON document")
    .action(async (words: string[], options: { json?: boolean; tag?: string[] }) =>
      setExitCode(await (await load()).addFact(words, options, io)),
    );
  memory
    .command("remove")
    .description("forget facts")
    .argument("<ids...>", "as list shows them")
    .action(async (ids: string[]) => setExitCode(await (await load()).removeFacts(ids, io)));
  memory
    .command("clear")
    .description("forget everything")
    .option("--yes", "do not ask")
    .action(async (options: { yes?: boolean }) => setExitCode(await (await load()).clearFacts(options, io)));
};
