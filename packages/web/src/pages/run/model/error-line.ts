const words =
  "error|fail(?:ed|ure|s)?|cannot|can't|exception|not found|denied|fatal|panic|undefined|missing|invalid|unable";
const says = new RegExp(`\\b(?:${words})\\b|✗|✘`, "i");
const exitCode = /^\[?exit (?:code|status)\b.*$/i;

/** The line of an output that says what went wrong: the last that names a failure, else the last with text. */
export function errorLine(content: string): string {
  const lines = content
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !exitCode.test(line));
  return lines.findLast((line) => says.test(line)) ?? lines.at(-1) ?? "";
}
