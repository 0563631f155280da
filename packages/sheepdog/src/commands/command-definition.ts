import type { Command } from "commander";
import type { Io } from "../io.ts";

/** What a command needs of the program: the world, and how to say what the process ends with. */
interface CommandContext {
  readonly io: Io;
  setExitCode(code: number): void;
}

/** Puts a command into the program: its words and options. What it does is loaded when it is asked for. */
export type CommandDefinition = (program: Command, hall: CommandContext) => void;

/** For options that may be given several times. */
export function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
