import type { GateRule } from "../../protocol/gate-rule.ts";
import { programOf, type SimpleCommand } from "../command/simple-command.ts";
import { wordList } from "../risk/word-list.ts";

/** Programs whose first argument says what they do. */
const withSubcommands = new Set(
  wordList(`
    git npm pnpm yarn cargo go docker podman kubectl helm terraform aws gcloud az gh glab pip pip3 uv poetry brew apt
    apt-get gem bundle composer heroku fly vercel netlify
  `),
);
/** Programs that run other code: a rule for them would allow nearly everything. */
const runningOthers = new Set(
  wordList(`
    sh bash zsh dash ksh fish node deno bun tsx ts-node python python3 ruby perl php lua java awk gawk osascript npx
    bunx uvx pipx eval exec source . env command builtin timeout nice nohup time stdbuf setsid watch parallel xargs find
    sudo su doas pkexec ssh chroot unshare nsenter script
  `),
);
/** Programs that run the rest of their arguments as a command, which is judged by itself. */
const wrappers = new Set(wordList("timeout nice nohup time"));
const runningSubcommands = new Set(wordList("run exec dlx x start shell eval compose -c config"));

/**
 * The rule that "always allow this" would write for a command line; undefined if there is none that is narrow enough.
 * Exactly one command of the line may need approval, and nothing in it may be destructive or not understood.
 */
export function suggestRule(
  tool: string,
  commands: readonly SimpleCommand[],
  highestAllowedTier: number,
): GateRule | undefined {
  const asking = commands.filter(
    (command) => command.risk.tier > highestAllowedTier && !wrappers.has(programOf(command)),
  );
  const [only] = asking;
  if (only === undefined || asking.length > 1 || only.risk.tier >= 4) return undefined;
  const words = only.words.flatMap((word) => (word.type === "plain" ? [word.value] : []));
  const [program = "", subcommand = ""] = words;
  if (words.length !== only.words.length || runningOthers.has(programOf(only)) || program.includes("/"))
    return undefined;
  if (words.some((word) => word === "" || /[\s*?]/.test(word))) return undefined; // a pattern could not say it
  if (!withSubcommands.has(program)) return { tool, command: words.join(" "), decision: "allow" };
  if (!/^[a-z][\w:-]*$/.test(subcommand) || runningSubcommands.has(subcommand)) return undefined;
  return { tool, command: `${program} ${subcommand} *`, decision: "allow" };
}
