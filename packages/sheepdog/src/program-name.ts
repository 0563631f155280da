/** How the user calls this program: `npx sheepdog` if npm has started it, else `sheepdog`. */
export function programName(env: Readonly<Record<string, string | undefined>>): string {
  const isNpx = env["npm_command"] === "exec" || env["npm_lifecycle_event"] === "npx";
  return isNpx ? "npx sheepdog" : "sheepdog";
}
