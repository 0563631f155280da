import type { ToolKind } from "../signal.ts";

/** What a shell command does to the world, as far as its words tell: most say nothing of it, and stay `unknown`. */
export function shellKind(command: string): ToolKind {
  const bare = command.slice(0, 4_096).replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, (quoted) => (/^.[\w./-]+.$/.test(quoted) ? quoted.slice(1, -1) : "_"));
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

/** What a query does to a database; undefined for text that is no query. */
export function queryKind(text: string): ToolKind | undefined {
  if (/^\s*(?:insert|update|delete|replace|create|drop|alter|truncate|merge|grant|revoke)\s/i.test(text)) return "mutate";
  return /^\s*(?:select|with|show|describe|desc|explain|pragma)\s/i.test(text) ? "read" : undefined;
}

/** A redirection into a file; not into a descriptor, not into nothing. */
const writesFile = /(?:^|[^<>&\d-])\d?>{1,2}\s*(?!&|\/dev\/(?:null|stdout|stderr)|[>=])[\w./~$-]/;

/** Redirections between descriptors and into nothing, which are no commands. */
const descriptors = /\d?>&\d|&?\d?>+\s*\/dev\/\w+/g;

/** The program of one command, with its subcommand: variables, `sudo` and the like put aside. */
function programOf(command: string): string {
  return command
    .trim()
    .replace(/^(?:(?:\w+=\S*|sudo|time|nohup|env|command|exec|then|do|else|if|!)\s+)*/, "")
    .replace(/^\S*\//, "");
}

const changes =
  /^(?:rm|mv|cp|mkdir|rmdir|touch|tee|ln|chmod|chown|dd|patch|truncate|unzip|kill|pkill|killall|reboot|shutdown|(?:systemctl|service) .*\b(?:start|stop|restart|enable|disable)|(?:sed|perl) (?:.* )?-\w*i|tar (?:.* )?-?\w*x|git (?:.* )?(?:add|commit|push|pull|merge|rebase|checkout|switch|reset|restore|revert|stash|apply|am|cherry-pick|clone|init|rm|mv|tag|clean)|(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|gem|go|brew|apt|apt-get|dnf|apk) (?:.* )?(?:i|install|add|remove|uninstall|update|upgrade|ci|get|publish)|docker (?:run|build|rm|stop|start|kill|pull|push)|kubectl (?:apply|delete|create|scale|edit|patch|rollout)|terraform (?:apply|destroy|import)|curl (?:.* )?-X ?(?:POST|PUT|PATCH|DELETE))(?:\s|$)/;
