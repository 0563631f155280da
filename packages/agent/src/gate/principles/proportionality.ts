import { knownArgs, programOf, type SimpleCommand } from "../command/simple-command.ts";
import { printable } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";
import { isDeleting } from "./preservation.ts";
import { findings, type JudgePrinciple } from "./principle-input.ts";

const { fine, caution, against } = findings("proportionality");

/** More files than one step of a task usually changes. */
const MANY_FILES = 20;

const changingPrograms = new Set(wordList("chmod chown chgrp setfacl"));

/** Is the call as small as it can be? */
export const proportionality: JudgePrinciple = ({ commands, risk, writtenCode }) => {
  const wide = commands.find((command) => changesMany(command));
  if (wide !== undefined) {
    const reason = `${printable(programOf(wide))} is used with force or on whole folders.`;
    return wide.risk.tier >= 4 ? against(reason) : caution(reason);
  }
  const written = (risk.paths ?? []).filter(({ access }) => access === "write");
  if (written.length > MANY_FILES) return caution(`Changes ${written.length} files or more at once.`);
  if (writtenCode.length > 0) return fine("Runs a file that the agent wrote in this session.");
  return fine("Acts on few things.");
};

/** Whether a command that deletes or changes files is recursive or forced. */
function changesMany(command: SimpleCommand): boolean {
  const program = programOf(command);
  if (!isDeleting(command) && !changingPrograms.has(program)) return false;
  return knownArgs(command).some((arg) => /^-[a-zA-Z]*[rRf]|^--(?:recursive|force|hard|mirror)/.test(arg));
}
