import { knownArgs, programOf, type SimpleCommand } from "../command/simple-command.ts";
import { printable } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";
import { findings, type JudgePrinciple } from "./principle-input.ts";

const { fine, caution, against } = findings("preservation");

const deletingPrograms = new Set(wordList("rm rmdir unlink shred dd truncate wipefs fdisk parted"));
const deletingGit =
  /^(?:push (?:.* )?(?:-f|--force\S*|--delete|--mirror)|reset (?:.* )?--hard|clean|filter-\S+)(?: |$)/;

/** Does the call keep what is there? */
export const preservation: JudgePrinciple = ({ commands, risk }) => {
  const deleting = commands.find(isDeleting);
  const program = deleting === undefined ? "" : printable(programOf(deleting));
  if (deleting !== undefined && (deleting.risk.tier >= 4 || deleting.risk.isOutside))
    return against(`${program} could destroy something that cannot be restored.`);
  if (deleting !== undefined) return caution(`${program} deletes; git can restore only what was committed.`);
  if (risk.isOutside) return caution("Changes a file outside the workspace.");
  return fine("No deletion was found.");
};

/** Whether a command deletes or overwrites, by its program and its subcommand. */
export function isDeleting(command: SimpleCommand): boolean {
  const program = programOf(command);
  const args = knownArgs(command);
  if (deletingPrograms.has(program) || program.startsWith("mkfs")) return true;
  if (program === "find") return args.includes("-delete");
  return program === "git" && deletingGit.test(args.join(" "));
}
