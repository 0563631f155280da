import { Option } from "commander";
import { append, type CommandDefinition } from "../command-definition.ts";
import type { ChatCommandOptions } from "./chat-command.ts";

/** `sheepdog chat`. */
export const chatDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("chat")
    .description("work with an agent in the terminal, and watch it")
    .addOption(
      new Option("-r, --resume [session]", "go on with a session; without one, choose it from a list").conflicts(
        "continue",
      ),
    )
    .option("-c, --continue", "the same with the newest session of this folder")
    .option("-m, --model <provider:id>", "the model to ask, e.g. anthropic:claude-sonnet-5")
    .addOption(new Option("--mode <mode>", "what the guardian may do").choices(["guide", "advise", "observe"]))
    .option("--max-cost <dollars>", "end a run when so much is spent: 2.50")
    .option("--set <key=value>", "any key of the configuration, e.g. agent.max_turns=50 (repeatable)", append)
    .option("--no-animations", "change the screen only when something happens")
    .option("-C, --cwd <dir>", "the folder to work in")
    .action(async (options: ChatCommandOptions) => {
      const { chatCommand } = await import("./chat-command.ts");
      setExitCode(await chatCommand(options, io));
    });
};
