import type { ShellArg } from "../command/shell-arg.ts";
import { type Risk, reading, unclear } from "../risk/risk.ts";
import { matchesText, matchingPaths } from "./file-pattern.ts";
import type { FileAccess, FileScope } from "./file-scope.ts";
import { foundRisk } from "./found-files.ts";
import { namedFileRisk } from "./path-risk.ts";

export type { FileAccess, FileScope } from "./file-scope.ts";

/** The risk of reading the files that an argument names. */
export function readRisk(scope: FileScope, arg: ShellArg): Risk {
  return accessRisk(scope, arg, "read");
}

/** The risk of writing the files that an argument names. */
export function writeRisk(scope: FileScope, arg: ShellArg): Risk {
  return accessRisk(scope, arg, "write");
}

/** The risk of using the files that an argument names. */
export function accessRisk(scope: FileScope, arg: ShellArg, access: FileAccess): Risk {
  const risk = arg.type === "found" ? foundRisk(scope, arg, access) : namedFileRisk(scope, arg, access);
  return access === "remove" ? destructionRisk(risk) : risk;
}

/** What is removed outside the workspace, or of the history of git, cannot be restored from anywhere. */
function destructionRisk(risk: Risk): Risk {
  if (risk.tier < 3 || risk.paths?.every(({ location }) => location === "sheepdog") === true) return risk;
  const reason = risk.tier === 4 ? risk.reason : `${risk.reason} What is removed there cannot be restored.`;
  return { ...risk, ...unclear(reason), patterns: [...new Set([...(risk.patterns ?? []), "recursive delete"])] };
}

/** The risk of using the paths inside an option such as `--file=/x` or `-f../x`. */
export function optionRisk(scope: FileScope, option: string, access: FileAccess = "read"): Risk {
  const assigned = /^--?[\w.-]*=(.*)$/s.exec(option)?.[1];
  const pathStart = option.search(/\/|\.\.|~/);
  const attached = pathStart < 0 ? undefined : option.slice(pathStart);
  const value = assigned ?? attached;
  if (value === undefined) return reading;
  return accessRisk(scope, { type: value.startsWith("~") ? "home" : "plain", value }, access);
}

/** Whether a pattern finds a file, or may find one that an earlier command of the line makes. */
export function mayFind({ folders, changes }: FileScope, arg: Extract<ShellArg, { type: "glob" }>): boolean {
  if (changes?.hasOddNames === true) return true;
  return folders.some((folder) => matchingPaths(folder, arg.pattern)?.length !== 0);
}

/** Whether one of the files that a pattern finds could be taken for an option. */
export function mayFindOption({ folders, changes }: FileScope, arg: Extract<ShellArg, { type: "glob" }>): boolean {
  if (arg.prefix.startsWith("-")) return true;
  if (arg.prefix !== "") return false;
  if (changes?.hasOddNames === true || matchesText("-*", arg.value)) return true;
  return folders.some((folder) => matchingPaths(folder, arg.pattern)?.some((path) => path.startsWith("-")) ?? true);
}
