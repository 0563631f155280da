import type { ToolKind } from "../signal.ts";

/** What a shell command does to the world, as far as its words tell. A command that is not known stays `unknown`. */
export function shellKind(command: string): ToolKind {
  const bare = command.slice(0, 4_096).replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, (quoted) => (/^.[\w./-]+.$/.test(quoted) ? quoted.slice(1, -1) : "_"));
  if (writesFile.test(bare)) return "mutate";
  const programs = bare
    .replace(descriptors, " ")
    .split(/[\n;&|(){}`]+|\$\(/)
    .map(programOf)
    .filter((program) => program !== "");
  if (programs.some((program) => changes.test(program))) return "mutate";
  if (programs.length > 0 && programs.every((program) => rests.test(program))) return "wait";
  if (programs.length > 0 && programs.every((program) => looks.test(program) || rests.test(program)))
    return programs.some((program) => rests.test(program)) ? "poll" : "read";
  return "unknown";
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
  const words = command
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  while (words[0] !== undefined && (/^\w+=/.test(words[0]) || /^(?:sudo|time|nohup|env|command|exec|then|do|else|if|!)$/.test(words[0]))) words.shift();
  const [program = "", ...rest] = words;
  return [program.replace(/^.*\//, ""), ...rest].join(" ");
}

const changes =
  /^(?:rm|mv|cp|mkdir|rmdir|touch|tee|ln|chmod|chown|dd|patch|truncate|unzip|install|kill|pkill|killall|reboot|shutdown|crontab|useradd|usermod|passwd|systemctl (?:start|stop|restart|enable|disable)|service \S+ (?:start|stop|restart)|sed (?:.* )?-i|perl (?:.* )?-\w*i|tar (?:.* )?-?\w*x|(?:git) (?:.* )?(?:add|commit|push|pull|merge|rebase|checkout|switch|reset|restore|revert|stash|apply|am|cherry-pick|clone|init|rm|mv|tag|clean|fetch)\b|(?:npm|pnpm|yarn|bun|pip|pip3|uv|poetry|cargo|gem|go|brew|apt|apt-get|dnf|apk) (?:.* )?(?:i|install|add|remove|uninstall|update|upgrade|ci|get|publish|link|init)\b|docker (?:run|build|rm|stop|start|kill|pull|push)|kubectl (?:apply|delete|create|scale|edit|patch|rollout)|terraform (?:apply|destroy|import)|curl (?:.* )?-X ?(?:POST|PUT|PATCH|DELETE))(?:\s|$)/;

const looks =
  /^(?:ls|cat|head|tail|less|more|grep|egrep|fgrep|rg|ag|find|fd|pwd|cd|echo|printf|wc|stat|file|du|df|ps|which|type|whoami|id|date|env|printenv|uname|hostname|tree|sort|uniq|cut|tr|awk|sed|nl|diff|cmp|md5sum|sha256sum|jq|yq|xargs|test|true|false|basename|dirname|realpath|readlink|strings|xxd|od|column|man|history|top|free|uptime|netstat|ss|lsof|ping|dig|nslookup|git (?:status|diff|log|show|branch|blame|ls-files|rev-parse|remote|describe|grep)|docker (?:ps|logs|images|inspect)|kubectl (?:get|describe|logs)|curl|wget)(?:\s|$)/;

const rests = /^(?:sleep|wait)(?:\s|$)/;
