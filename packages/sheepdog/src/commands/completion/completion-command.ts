import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { bashScript } from "./bash-script.ts";
import { fishScript } from "./fish-script.ts";
import { wordsOf } from "./words.ts";
import { zshScript } from "./zsh-script.ts";

/** The shells that can be served. */
export type Shell = keyof typeof scripts;

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints the script that teaches a shell what can be typed. */
export async function completionCommand(shell: Shell, program: Command, io: Io): Promise<number> {
  await write(io.stdout, scripts[shell](wordsOf(program)));
  return exitCode.done;
}
