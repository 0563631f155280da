import type { CommandDefinition } from "../command-definition.ts";
import type { AnswersOptions } from "./answers-command.ts";
import type { ListOptions } from "./list-command.ts";
import type { TestOptions } from "./test-command.ts";

/** `sheepdog notify`. */
export const notifyDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const notify = program
    .command("notify")
    .description("tell people about runs: check the channels, and see what waits")
    .helpCommand("help [command]", "print the help of a command");
  notify
    .command("test")
    .description("send a message to a channel, or to each of them, and print what the server answers")
    .argument("[channel]", "the name of a channel of the configuration")
    .option("--json", "print one JSON document")
    .action(async (name: string | undefined, options: TestOptions) => {
      const { testCommand } = await import("./test-command.ts");
      setExitCode(await testCommand(name, options, io));
    });
  notify
    .command("list")
    .description("list the channels: what they get, whether people can answer, and what waits and why")
    .option("--json", "print one JSON document")
    .action(async (options: ListOptions) => {
      const { listCommand } = await import("./list-command.ts");
      setExitCode(await listCommand(options, io));
    });
  notify
    .command("answers")
    .description("list who answered what through a channel, newest first, refused answers too")
    .option("--limit <n>", "at most this many", "20")
    .option("--json", "print one JSON document")
    .action(async (options: AnswersOptions) => {
      const { answersCommand } = await import("./answers-command.ts");
      setExitCode(await answersCommand(options, io));
    });
  notify
    .command("deliver", { hidden: true })
    .description("deliver what waits; other commands start it")
    .action(async () => {
      const { deliverCommand } = await import("./deliver-command.ts");
      setExitCode(await deliverCommand(io));
    });
};
