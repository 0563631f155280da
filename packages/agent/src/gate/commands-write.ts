import { type FileScope, readRisk, writeRisk } from "./file-access.ts";
import { beyond, editing, highestRisk, printable, type Risk, unclear } from "./risk.ts";
import { assessArgs, type Invocation, type Rule, writer } from "./rule.ts";
import type { ShellArg } from "./shell-arg.ts";

/** Programs that change the files they name. */
export const writingCommands: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["mkdir", writer({ options: /^-[pv]+$|^--(?:parents|verbose)$/ })],
  ["touch", writer({ options: /^-[acm]+$/ })],
  ["rmdir", writer({ options: /^-[pv]+$/ })],
  ["rm", rm],
  ["tee", writer({ options: /^-a$|^--append$/ })],
  ["truncate", writer({ options: /^-s\d*[kKMG]?$|^--size=\d+[kKMG]?$|^-c$/ })],
  ["mv", (invocation) => toLast(invocation, /^-[fnvui]+$/, writeRisk)],
  [
    "cp",
    (invocation) => toLast(invocation, /^-[rRapfnvuLPdT]+$|^--(?:recursive|archive|no-clobber|verbose)$/, readRisk),
  ],
  ["ln", ln],
  ["chmod", chmod],
]);

function rm(invocation: Invocation): Risk {
  const options = /^-[rRfvdi]+$|^--(?:recursive|force|verbose|dir)$/;
  return assessArgs(invocation, { options }, { fileRisk: removalRisk, lowest: editing });
}

/** What was removed outside the workspace cannot be restored: `rm -rf /`, `rm -rf ~`. */
function removalRisk(scope: FileScope, arg: ShellArg): Risk {
  const risk = writeRisk(scope, arg);
  if (risk.isOutside !== true && arg.type !== "home") return risk;
  return { ...risk, ...unclear(`Removes ${printable(arg.value)}, which is outside the workspace.`) };
}

/** All operands but the last are sources, the last is the destination. */
function toLast(invocation: Invocation, options: RegExp, sourceRisk: (scope: FileScope, arg: ShellArg) => Risk): Risk {
  const { args, scope } = invocation;
  const to = args.at(-1);
  if (to?.type !== "plain" || to.value.startsWith("-"))
    return unclear(`Where ${invocation.name} puts things is known only when it runs.`);
  return highestRisk(
    [
      assessArgs({ ...invocation, args: args.slice(0, -1) }, { options }, { fileRisk: sourceRisk, lowest: editing }),
      writeRisk(scope, { type: "plain", value: `${to.value}/x` }),
    ],
    editing,
  );
}

/** A link out of the workspace would make files outside look as if they were inside. */
function ln(invocation: Invocation): Risk {
  const leadsUp = invocation.args.some((arg) => arg.type !== "plain" || /^\/|(?:^|\/)\.\.(?:\/|$)/.test(arg.value));
  if (leadsUp) return beyond("Makes a link that may lead out of the workspace.");
  return assessArgs(invocation, { options: /^-[sfnv]+$/ }, { fileRisk: writeRisk, lowest: editing });
}

function chmod(invocation: Invocation): Risk {
  const mode = invocation.args.find((arg) => arg.type !== "plain" || !/^-[RvfcI]+$/.test(arg.value));
  if (mode?.type !== "plain" || !/^(?:[ugoa]*[-+=][rwxX]+|0?[0-7]{3})$/.test(mode.value))
    return unclear(`Sets permissions that are not understood (${printable(mode?.value ?? "")}).`);
  return assessArgs(
    invocation,
    { options: /^-[Rvfc]+$|^[-+=][rwxX]+$/, texts: mode.value.startsWith("-") ? 0 : 1 },
    { fileRisk: writeRisk, lowest: editing },
  );
}
