import type { ToolKind } from "../signal.ts";

/** What a shell command does to the world, as far as its words tell: most say nothing of it, and stay `unknown`. */
export function shellKind(command: string): ToolKind {
  const start = command.slice(0, 4_096);
  if (writesByCode.test(start)) return "mutate";
  const bare = start.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, (quoted) =>
    /^.[\w./-]+.$/.test(quoted) ? quoted.slice(1, -1) : "_",
  );
  if (writesFile.test(bare)) return "mutate";
  const programs = bare
    .replace(descriptors, " ")
    .split(/[\n;&|(){}`]+|\$\(/)
    .map(programOf)
    .filter((program) => program !== "");
  if (programs.some((program) => changes.test(program))) return "mutate";
  const rests = programs.filter((program) => /^(?:sleep|wait)\b/.test(program)).length;
  return rests === 0 ? "unknown" : rests === programs.length ? "wait" : "poll";
}

/** What a program text does, a query or a script; undefined where nothing shows. */
export function codeKind(text: string): ToolKind | undefined {
  if (
    /^\s*(?:with\b[\s\S]*\b)?(?:insert\s+into|update\s+\S+\s+set|delete\s+from|(?:create|drop|alter|truncate)\s+table)\b/i.test(
      text,
    ) ||
    writesByCode.test(text)
  )
    return "mutate";
  return /^\s*(?:select|with|show|describe|explain)\s/i.test(text) ? "read" : undefined;
}

/** A script that writes a file. */
const writesByCode = /open\([^)]*,\s*["'][wa]|\.write\w*\(|\.to_csv\(/;

/** A redirection into a file; not into a descriptor, not into nothing. */
const writesFile = /(?:^|[^<>&\d-])\d?>{1,2}\s*(?!&|\/dev\/(?:null|stdout|stderr)|[>=])[\w./~$-]/;

/** Redirections between descriptors and into nothing, which are no commands. */
const descriptors = /\d?>&\d|&?\d?>+\s*\/dev\/\w+/g;

/** The program of one command with its subcommand: variables, `sudo` and the like put aside. */
function programOf(command: string): string {
  return command
    .trim()
    .replace(/^(?:(?:\w+=\S*|sudo|time|env|exec|then|do|else|if|!)\s+)*/, "")
    .replace(/^\S*\//, "");
}

const changes =
  /^(?:rm|mv|cp|mkdir|touch|tee|ln|chmod|chown|patch|truncate|kill|(?:systemctl|service) .*\b(?:start|stop|restart)|(?:sed|perl) (?:.* )?-\w*i|git (?:-C \S+ )?(?:add|commit|push|pull|merge|rebase|checkout|switch|reset|restore|revert|stash(?! list| show)|apply|am|cherry-pick|clone|init|rm|mv|clean|bisect)|(?:npm|pnpm|yarn|pip3?|uv|poetry|cargo|go|brew|apt|apt-get) (?:i|install|add|remove|uninstall|update|upgrade|ci|get)|docker (?:build|rm|stop|start|push)|kubectl (?:apply|delete|create|scale|patch)|terraform apply|curl (?:.* )?-X ?(?:POST|PUT|PATCH|DELETE))(?:\s|$)/;
