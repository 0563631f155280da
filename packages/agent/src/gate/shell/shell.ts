import type { Statement } from "unbash";
import type { FoundArg } from "../command/shell-arg.ts";
import type { OnCommand } from "../command/simple-command.ts";
import type { LineChanges } from "../files/line-changes.ts";
import type { Risk } from "../risk/risk.ts";
import { joinVariables, type Variables } from "./variables.ts";

/** The part of the shell's state that changes the risk. */
export interface Shell {
  readonly workspace: string;
  readonly protectedFolders?: readonly string[];
  /** The possible current folders: a `cd` that fails leaves the shell where it was. */
  folders: readonly string[];
  /** Whether the last command certainly left the shell in `folders`. */
  hasMoved: boolean;
  /** The variables whose values are known. */
  variables: Variables;
  /** Whether a `cd` here runs exactly once, in this order. */
  readonly mayMove: boolean;
  readonly depth: number;
  readonly budget: Budget;
  readonly changes: LineChanges;
  /** The names of files that come in through standard input, if that is known. */
  readonly input?: FoundArg;
  readonly onCommand: OnCommand | undefined;
  /** The risk of commands inside a command. */
  readonly assessList: (list: readonly Statement[], shell: Shell) => Risk;
  /** The risk of a text that is run as a script. */
  readonly assessScript: (source: string, shell: Shell) => Risk;
}

/** What is left of the effort for one command line, and whether its commands run in another order than written. */
interface Budget {
  commandsLeft: number;
  hasOtherOrder: boolean;
}

export const maxDepth = 8;
export const maxFolders = 8;

/** The shell of a part that may run several times, or not at all, or in another process. */
export function nested(shell: Shell): Shell {
  return { ...shell, mayMove: false, depth: shell.depth + 1 };
}

/** A state of the shell at one point of the line. */
export type ShellState = Pick<Shell, "folders" | "variables">;

export function stateOf({ folders, variables }: Shell): ShellState {
  return { folders, variables };
}

/** Makes the shell continue where one of several ways may have led. */
export function joinStates(shell: Shell, states: readonly ShellState[]): void {
  const [first, ...others] = states;
  if (first === undefined) return;
  shell.folders = [...new Set(states.flatMap(({ folders }) => folders))];
  shell.variables = others.reduce((joined, { variables }) => joinVariables(joined, variables), first.variables);
}
