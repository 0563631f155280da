import { firstCharacters, lastCharacters } from "../cut.ts";

/** What shells, Python and the tools of SWE-agent print when a command fails. `(?<![^\n])`: the start of a line. */
const errorReport = new RegExp(
  [
    "Traceback \\(most recent call last\\)",
    "(?<![^\\n])\\s*\\w*(?:Error|Exception)[:(]",
    "command not found",
    "No such file or directory",
    "introduced new syntax error",
    "(?:EXECUTION|COMMAND) TIMED OUT",
    "(?<![^\\n])bash: ",
    "[Ss]yntax ?[Ee]rror",
    "Permission denied",
    "(?<![^\\n])[Uu]sage: ",
    "fatal: ",
    "not found: ",
  ].join("|"),
);

/** What SWE-agent prints for a command that succeeded without output. An error report after it does not count. */
const emptyOutputNotice = "Your command ran successfully and did not produce";

/** Whether the beginning or the end of the output of a command reports an error. */
export function reportsShellError(output: string): boolean {
  const inspected = firstCharacters(output, 3000) + lastCharacters(output, 1500);
  const errorAt = inspected.search(errorReport);
  const noticeAt = inspected.indexOf(emptyOutputNotice);
  return errorAt >= 0 && (noticeAt < 0 || errorAt < noticeAt);
}
