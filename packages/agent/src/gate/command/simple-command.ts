import { basename } from "node:path";
import type { Risk } from "../risk/risk.ts";
import type { ShellArg } from "./shell-arg.ts";

/** A program with its arguments, also behind a wrapper such as `timeout 5` or inside `sh -c`. */
export interface SimpleCommand {
  readonly words: readonly ShellArg[];
  /** The folders it may run in. */
  readonly folders: readonly string[];
  readonly risk: Risk;
}

/** Receives a simple command of a command line. A returned risk replaces the one of that command alone. */
export type OnCommand = (command: SimpleCommand) => Risk | undefined;

/** The name of the program, without its folder; empty when it is known only when it runs. */
export function programOf({ words: [program] }: Pick<SimpleCommand, "words">): string {
  return program?.type === "plain" ? basename(program.value) : "";
}

/** The arguments that are known before the command runs. */
export function knownArgs({ words }: Pick<SimpleCommand, "words">): readonly string[] {
  return words.slice(1).flatMap((word) => (word.type === "plain" || word.type === "home" ? [word.value] : []));
}
