import { Argument } from "commander";
import type { CommandDefinition } from "../command-definition.ts";
import type { Shell } from "./completion-command.ts";

const shells: readonly Shell[] = ["bash", "zsh", "fish"];

/** `sheepdog completion`. */
export const completionDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("completion")
    .description("print a completion script for your shell")
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .action(async (shell: Shell) => {
      const { completionCommand } = await import("./completion-command.ts");
      setExitCode(await completionCommand(shell, program, io));
    });
};
