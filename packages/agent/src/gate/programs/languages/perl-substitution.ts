import type { ShellArg } from "../../command/shell-arg.ts";
import { accessRisk } from "../../files/file-access.ts";
import { editing, highestRisk, type Risk, reading } from "../../risk/risk.ts";
import type { Invocation } from "../program-rule.ts";

/** The risk of `perl -pi -e 's/a/b/' file`, which replaces text; undefined for everything else that perl does. */
export function perlSubstitution({ args, scope }: Invocation): Risk | undefined {
  const at = args.findIndex(({ value }) => /^-\w*e$/.test(value));
  const flags = args.slice(0, at + 1).map(({ value }) => value);
  const [program, ...files] = args.slice(at + 1);
  const isReplacing = flags.join("").includes("p") && flags.every((flag) => /^-[p0]*(?:e|i(?:\.\w+)?|p)$/.test(flag));
  if (!isReplacing || program?.type !== "plain" || !isHarmless(program.value) || !files.every(isPlainName))
    return undefined;
  const isInPlace = flags.some((flag) => flag.includes("i"));
  return highestRisk(
    files.map((file) => accessRisk(scope, file, isInPlace ? "write" : "read")),
    isInPlace ? editing : reading,
  );
}

/** One `s/…/…/` without code: no flag `e`, no `(?{…})`, no `@{…}` and no variable but `$1`, without a subscript. */
function isHarmless(program: string): boolean {
  const part = String.raw`((?:\\.|(?!\1)[^\\])*)`;
  const [, , pattern, replacement] = new RegExp(`^s([/|#,])${part}\\1${part}\\1[gimsx]*;?$`, "s").exec(program) ?? [];
  if (pattern === undefined || replacement === undefined) return false;
  return !/[@{`]|\$(?![)|]|$)/.test(pattern) && !/[@{`]|\$(?!\d)|\$\d+(?:\[|->)/.test(replacement);
}

/** Perl takes `|x` and `>x` for a command and a file to write. */
function isPlainName({ type, value }: ShellArg): boolean {
  return (type === "plain" || type === "glob") && /^[\w.][\w./@+*-]*\w$/.test(value);
}
