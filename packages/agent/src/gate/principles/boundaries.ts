import { programOf, type SimpleCommand } from "../command/simple-command.ts";
import { printable } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";
import { findings, type JudgePrinciple } from "./principle-input.ts";

const { fine, caution, against } = findings("boundaries");

const privilegedPrograms = new Set(
  wordList("sudo su doas pkexec runuser setpriv chroot nsenter unshare mount umount passwd useradd usermod visudo"),
);

/** Does the call stay in the workspace, on this machine and with the rights of the user? */
export const boundaries: JudgePrinciple = ({ commands, risk }) => {
  const privileged = commands.find(actsWithPrivileges);
  if (privileged !== undefined) return against(`${printable(programOf(privileged))} acts with other privileges.`);
  const paths = risk.paths ?? [];
  const outside = paths.filter(({ location }) => location === "outside");
  const changed = outside.find(({ access }) => access === "write");
  if (changed !== undefined) return against(`${printable(changed.path)} is outside the workspace.`);
  const [read] = outside;
  if (read !== undefined) return caution(`${printable(read.path)} is outside the workspace.`);
  const guarded = paths.find(
    ({ access, location }) => location === "sheepdog" || (access === "write" && location === "git"),
  );
  if (guarded !== undefined) return caution(`${printable(guarded.path)} is in a protected folder.`);
  if (risk.tier === 3) return caution(risk.reason);
  return fine("Stays in the workspace.");
};

/** Whether a command runs with other rights than those of the user. */
export function actsWithPrivileges(command: SimpleCommand): boolean {
  return privilegedPrograms.has(programOf(command));
}
