import type { CommandDefinition } from "../command-definition.ts";
import type { DetachOptions } from "./detach-command.ts";

/** `sheepdog detach`. */
export const detachDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("detach")
    .description("remove the guardian from the settings of coding agents, which then are as they were before")
    .argument("[agents...]", "default: all that are attached")
    .option("--write", "change the settings; without it, the change is only shown")
    .option("--project", "only from the settings that this project shares")
    .option("--local", "only from your own settings of this project")
    .action(async (names: readonly string[], options: DetachOptions) => {
      const { detachCommand } = await import("./detach-command.ts");
      setExitCode(await detachCommand(names, options, io));
    });
};
