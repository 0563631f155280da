import { Option } from "commander";
import { append, type CommandDefinition } from "../command-definition.ts";
import type { ChatCommandOptions } from "./chat-command.ts";

/** `sheepdog chat`. */
export const chatDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("chat")
    .description("chat with an agent in the terminal")
    .addOption(
      new Option("-r, --resume [session]", "continue a session; without an id, choose it from a list").conflicts(
        "continue",
      ),
    )
    .option("-c, --continue", "continue the newest session of this folder")
    .option("-m, --model <provider:id>", "the model to use, e.g. anthropic:claude-sonnet-5")
    .addOption(new Option("--mode <mode>", "what the guardian may do").choices(["guide", "advise", "observe"]))
    .option("--max-cost <dollars>", "stop a run when this amount is spent: 2.50")
    .option("--set <key=value>", "set any configuration key, e.g. agent.max_turns=50 (repeatable)", append)
    .option("--no-animations", "update the screen only when something happens")
    .option("-C, --cwd <dir>", "the folder to work in")
    .action(async (options: ChatCommandOptions) => {
      const { chatCommand } = await import("./chat-command.ts");
      setExitCode(await chatCommand(options, io));
    });
};
