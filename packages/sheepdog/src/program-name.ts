/** How the user calls this program: `npx sheepdog` if npm has started it, else `sheepdog`. */
export function programName(env: Readonly<Record<string, string | undefined>>): string {
  return env["npm_execpath"] === undefined ? "sheepdog" : "npx sheepdog";
}

const commands =
  "run|runs|chat|stop|show|serve|cost|budget|analyze|init|config|gate|audit|doctor|memory|prune|demo|completion|mcp|" +
  "mcp-server|mcp-proxy|notify|attach|detach|watch|hook|status-line|--help";
const printedCommand = new RegExp(`(?<!npx )\\bsheepdog (?=(?:${commands})(?![\\w-]))`, "g");

/** A sentence of this program whose commands can be typed as they are. */
export function withProgramName(sentence: string, env: Readonly<Record<string, string | undefined>>): string {
  return sentence.replace(printedCommand, `${programName(env)} `);
}
