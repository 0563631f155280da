import type { ToolKind } from "./tool-kind.ts";

/** The kind of a shell command, as far as its words tell; most commands stay `unknown`. */
export function shellKind(command: string): ToolKind {
  if (writesByCode.test(command.slice(0, MAX_READ))) return "mutate";
  const unquoted = withoutQuotes(command);
  if (writesFile.test(unquoted)) return "mutate";
  const programs = programsIn(unquoted);
  if (programs.some((program) => changes.test(program))) return "mutate";
  const waits = programs.filter((program) => /^(?:sleep|wait)\b/.test(program)).length;
  if (waits === 0) return programs.length > 0 && programs.every((program) => looks.test(program)) ? "poll" : "unknown";
  return waits === programs.length ? "wait" : "poll";
}

/** Commands that show the state of something that runs. */
const looks = new RegExp(
  `^(?:${[
    "kubectl (?:-\\S+ \\S+ )*(?:get|rollout status|top)",
    "docker (?:ps|logs|stats)",
    "squeue|sacct|qstat|nvidia-smi|uptime",
    "systemctl (?:status|is-active)",
    "gh (?:run|pr) (?:view|list|checks|watch|status)",
  ].join("|")})(?:\\s|$)`,
);

/** Whether the exit code 1 of a command means that it found nothing, or that what it asked is not so. */
export function isSearchCommand(command: string): boolean {
  return searches.test(programsIn(withoutQuotes(command)).at(-1) ?? "");
}

const searches =
  /^(?:[ef]?grep|rg|ag|ack|git grep|which|type|command -v|test|\[|diff|git diff|cmp|pgrep|pidof|find|fd)(?:\s|$)/;

/** Characters of a command that are read. */
const MAX_READ = 4_096;

function withoutQuotes(command: string): string {
  return remoteCommand(command.slice(0, MAX_READ)).replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, (quoted) =>
    /^.[\w./-]+.$/.test(quoted) ? quoted.slice(1, -1) : "_",
  );
}

/** The command that `ssh` or `sh -c` is given in quotes, if that is all; otherwise the command itself. */
function remoteCommand(command: string): string {
  const [, single, double] = inQuotes.exec(command) ?? [];
  return single ?? double ?? command;
}

const inQuotes = /^\s*(?:ssh(?: [^\s'"]+)+|(?:ba|z)?sh -l?c) (?:'([^']*)'|"((?:[^"\\]|\\.)*)")\s*$/;

/** The programs of a command without quotes, each with its arguments. */
function programsIn(unquoted: string): readonly string[] {
  return unquoted
    .replace(descriptors, " ")
    .split(/[\n;&|(){}`]+|\$\(/)
    .map(programOf)
    .filter((program) => program !== "");
}

/** The kind of a query or a script; undefined when its words do not tell. */
export function codeKind(code: string): ToolKind | undefined {
  const text = code.slice(0, MAX_READ);
  if (writesByQuery.test(text) || writesByCode.test(text)) return "mutate";
  return /^\s*(?:select|with|show|describe|explain)\s/i.test(text) ? "read" : undefined;
}

const writesByQuery = new RegExp(
  "^\\s*(?:with\\b[\\s\\S]*\\b)?" +
    "(?:insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|(?:create|drop|alter|truncate)\\s+table)\\b",
  "i",
);

/** A script that writes a file. */
const writesByCode = /open\([^)]{0,200},\s*["'][wa]|\.write\w*\(|\.to_csv\(/;

/** A redirection into a file; not into a descriptor or /dev/null. */
const writesFile = /(?:^|[^<>&\d-])\d?>{1,2}\s*(?!&|\/dev\/(?:null|stdout|stderr)|[>=])[\w./~$-]/;

/** Redirections between descriptors and into /dev, which are no commands. */
const descriptors = /\d?>&\d|&?\d?>+\s*\/dev\/\w+/g;

/** The program of one command with its subcommand, without variables and without programs that start it. */
function programOf(command: string): string {
  return command
    .trim()
    .replace(wrappers, "")
    .replace(sshHost, "")
    .replace(/^\S*\//, "");
}

/** The command after the host, without quotes: `ssh host grep x file`. */
const sshHost = /^ssh(?: -\S+)* [\w.@-]+ /;

const wrapper = [
  "\\w+=\\S*|sudo|time|env|exec|nohup|setsid|then|do|else|if|!",
  "nice(?: -n ?-?\\d+)?",
  "timeout(?: -\\S+)* [\\d.]+[smhd]?",
  "stdbuf(?: -\\S+)+",
  "xvfb-run(?: -\\S+)*",
  "(?:docker|podman)(?: compose)? exec(?: -\\S+)* \\S+",
  "kubectl(?: -\\S+ \\S+)* exec .*? --",
].join("|");
const wrappers = new RegExp(`^(?:(?:${wrapper})\\s+)*`);

const gitChanges =
  "add|commit|push|pull|merge|rebase|checkout|switch|reset|restore|revert|stash(?! list| show)|apply|am|" +
  "cherry-pick|clone|init|rm|mv|clean|bisect";
const changes = new RegExp(
  `^(?:${[
    "rm|mv|cp|mkdir|touch|tee|ln|chmod|chown|patch|truncate|kill",
    "(?:systemctl|service) .*\\b(?:start|stop|restart)",
    "(?:sed|perl) (?:.* )?-\\w*i",
    `git (?:-C \\S+ )?(?:${gitChanges})`,
    "(?:npm|pnpm|yarn|pip3?|uv|poetry|cargo|go|brew|apt|apt-get) " +
      "(?:i|install|add|remove|uninstall|update|upgrade|ci|get)",
    "docker (?:build|rm|stop|start|push)",
    "kubectl (?:apply|delete|create|scale|patch)",
    "terraform apply",
    "curl (?:.* )?-X ?(?:POST|PUT|PATCH|DELETE)",
  ].join("|")})(?:\\s|$)`,
);
