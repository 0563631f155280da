import type { PatternName } from "../risk/patterns.ts";
import { beyond, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";
import { archiveCommands } from "./archive.ts";
import { compilingCommands } from "./compile.ts";
import { find } from "./find.ts";
import { git } from "./git/git.ts";
import { textCommands } from "./languages/text.ts";
import { packageCommands, runPackage } from "./packages.ts";
import type { Invocation, ProgramRule } from "./program-rule.ts";
import { readingCommands } from "./read.ts";
import { localProgram, runningCommands } from "./run.ts";
import { testRunners } from "./test-runners.ts";
import { wrappingCommands } from "./wrap.ts";
import { writingCommands } from "./write.ts";

/** The known programs, by what they do. */
const rules: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...wrappingCommands,
  ...readingCommands,
  ...textCommands,
  ...archiveCommands,
  ...writingCommands,
  ...runningCommands,
  ...packageCommands,
  ...compilingCommands,
  ...testRunners,
  ["find", find],
  ["git", git],
]);

interface Refusal {
  readonly programs: ReadonlySet<string>;
  readonly tier: 3 | 4;
  readonly risk: (name: string) => Risk;
}

const refused = (programs: string, tier: 3 | 4, pattern: PatternName, effect: string): Refusal => ({
  programs: new Set(wordList(programs)),
  tier,
  risk: (name) => (tier === 3 ? beyond : unclear)(`${name} ${effect}.`, pattern),
});

/** Programs that are never run without approval, and why. */
const refusals: readonly Refusal[] = [
  refused(
    `curl wget scp sftp ftp ssh rsync nc ncat netcat telnet socat ping dig nslookup host gh glab mail sendmail aria2c
     http`,
    3,
    "network access",
    "contacts other machines",
  ),
  refused(
    `docker podman kubectl helm terraform aws gcloud az heroku fly vercel netlify psql mysql sqlite3 mongosh redis-cli
     open xdg-open brew apt apt-get yum dnf apk pacman snap flatpak osascript nix conda mamba rustup nvm`,
    3,
    "system change",
    "acts outside the workspace",
  ),
  refused("sheepdog", 3, "protected folder", "can change the limits of agents"),
  refused(
    "sudo su doas pkexec runuser setpriv chroot nsenter unshare mount umount chown chgrp passwd useradd usermod visudo",
    4,
    "privilege escalation",
    "acts with other privileges",
  ),
  refused(
    `kill pkill killall dd mkfs fdisk parted shred wipefs shutdown reboot halt poweroff systemctl service crontab at
     batch iptables srm swapoff mkswap sgdisk launchctl`,
    4,
    "system change",
    "can destroy what is not in the workspace",
  ),
  refused(
    `eval exec trap alias unalias builtin enable declare typeset local readonly shopt complete bind fc
     hash mapfile readarray getopts let pushd popd umask`,
    4,
    "eval",
    "changes what the shell does, or runs code that is known only when it runs",
  ),
  refused(
    "vim vi nvim emacs nano ed ex less more man info top htop screen tmux script gdb lldb expect watch",
    4,
    "interactive program",
    "waits for the keys of a user and can run other commands",
  ),
  refused("parallel csplit", 4, "command from arguments", "builds commands or files from what it reads"),
];

/** A tool by its path: it is judged as by its name, and the file must be in the workspace. */
function installedTool(invocation: Invocation, tool: string): Risk {
  const rule = rules.get(tool);
  if (rule === undefined)
    return highestRisk([
      localProgram({ ...invocation, args: [] }),
      runPackage(invocation, [{ type: "plain", value: tool }, ...invocation.args]),
    ]);
  return highestRisk([localProgram({ ...invocation, args: [] }), rule({ ...invocation, name: tool })]);
}

const asksVersion = ({ args }: Invocation, { tier }: Refusal): boolean =>
  tier === 3 && args.length === 1 && /^(?:--version|--help|-V)$/.test(args[0]?.value ?? "");

/** The risk of a simple command, by its program and every argument. An unknown program is not understood. */
export function assessCommand(invocation: Invocation): Risk {
  const name = invocation.name.replace(/^\/(?:usr\/)?bin\/(?=[\w.-]+$)/, "");
  const rule = rules.get(name);
  if (rule !== undefined) return rule({ ...invocation, name });
  const refusal = refusals.find(({ programs }) => programs.has(name));
  if (refusal !== undefined) return asksVersion(invocation, refusal) ? reading : refusal.risk(name);
  if (name.startsWith("mkfs.")) return unclear(`${name} can destroy what is not in the workspace.`, "system change");
  const [, tool] = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)\/([\w.-]+)$/.exec(name) ?? [];
  if (tool !== undefined && !/^python[\d.]*$/.test(tool)) return installedTool(invocation, tool);
  if (/^\.{1,2}\/[\w./@-]+$|^\.?[\w-][\w.@-]*\/[\w./@-]+$/.test(name)) return localProgram(invocation);
  return unclear(`The program ${printable(name)} is not known.`, "unknown program");
}
