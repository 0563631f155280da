import type { CommandDefinition } from "../command-definition.ts";
import type { ExplainOptions } from "./explain-command.ts";
import type { TestOptions } from "./test-command.ts";

/** `sheepdog gate`. */
export const gateDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const gate = program
    .command("gate")
    .description("show what an agent may do, and why, without running anything")
    .helpCommand("help [command]", "print the help of a command");
  gate
    .command("explain")
    .description("what the gate would decide about a call")
    .argument("[command...]", "a command line, after --")
    .option("--tool <name>", "the tool of the call", "bash")
    .option("--args <json>", "the arguments of the call, instead of a command line")
    .option("--unattended", "decide as in a run without a user")
    .option("--json", "print one JSON document")
    .action(async (words: string[], options: ExplainOptions) => {
      const { explainCommand } = await import("./explain-command.ts");
      setExitCode(await explainCommand(words, options, io));
    });
  gate
    .command("test")
    .description("compare the gate's decisions with a file of expected ones; exit with 5 if one differs")
    .argument("<file>", 'lines such as "allow: npm test", or JSON lines with command and decision')
    .option("--unattended", "decide as in a run without a user")
    .option("--json", "print one JSON document")
    .action(async (file: string, options: TestOptions) => {
      const { testCommand } = await import("./test-command.ts");
      setExitCode(await testCommand(file, options, io));
    });
};
