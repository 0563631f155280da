import { knownArgs, programOf, type SimpleCommand } from "../command/simple-command.ts";
import { printable } from "../risk/risk.ts";
import { actsWithPrivileges } from "./boundaries.ts";
import { isDeleting } from "./preservation.ts";
import { findings, type JudgePrinciple } from "./principle-input.ts";

const { fine, caution, against } = findings("transparency");

/** Is it clear what the call does? */
export const transparency: JudgePrinciple = ({ commands, risk, writtenCode }) => {
  const isExplained = commands.some(
    (command) => command.risk.tier >= 4 && (isDeleting(command) || actsWithPrivileges(command)),
  );
  if (risk.tier >= 4 && !isExplained) return against(`It is not fully understood. ${risk.reason}`);
  const [script] = writtenCode;
  if (script !== undefined) return caution(`${printable(script)} was written in this session, and is not reviewed.`);
  const decoder = commands.find(decodes);
  if (decoder !== undefined)
    return caution(`${printable(programOf(decoder))} decodes text, so its content cannot be read here.`);
  return fine("The gate understands the whole call.");
};

function decodes(command: SimpleCommand): boolean {
  const args = knownArgs(command);
  switch (programOf(command)) {
    case "base64":
    case "base32":
      return args.some((arg) => /^-[a-zA-Z]*[dD]|^--decode/.test(arg));
    case "xxd":
      return args.some((arg) => /^-[a-zA-Z]*r/.test(arg));
    default:
      return false;
  }
}
