import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { bashScript } from "./bash-script.ts";
import { commandWords } from "./command-words.ts";
import { fishScript } from "./fish-script.ts";
import { zshScript } from "./zsh-script.ts";

/** The supported shells. */
export type Shell = keyof typeof scripts;

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints the completion script of a shell. */
export async function completionCommand(shell: Shell, program: Command, io: Io): Promise<number> {
  await write(io.stdout, scripts[shell](commandWords(program)));
  return exitCode.done;
}
