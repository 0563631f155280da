import { git } from "./commands-git.ts";
import { readingCommands } from "./commands-read.ts";
import { localProgram, runningCommands } from "./commands-run.ts";
import { writingCommands } from "./commands-write.ts";
import { isFreeVariable } from "./free-variables.ts";
import { beyond, printable, type Risk, reading, unclear } from "./risk.ts";
import type { Invocation, Rule } from "./rule.ts";
import { wordList } from "./word-list.ts";

const networkPrograms = new Set(
  wordList(`
    curl wget scp sftp ftp ssh rsync nc ncat netcat telnet socat ping dig nslookup host gh glab mail sendmail
  `),
);
const outsidePrograms = new Set(
  wordList(`
    docker podman kubectl helm terraform aws gcloud az heroku fly vercel netlify psql mysql sqlite3 mongosh
    redis-cli open xdg-open pip pip3 pipx uv poetry brew apt apt-get yum dnf gem bundle composer kill
  `),
);
const privilegedPrograms = new Set(
  wordList(`
    sudo su doas pkexec runuser setpriv chroot nsenter unshare mount umount chown chgrp passwd useradd usermod
    visudo
  `),
);
const destructivePrograms = new Set(
  wordList(`
    dd mkfs fdisk parted shred wipefs shutdown reboot halt poweroff systemctl service crontab at batch pkill killall
    iptables
  `),
);
const evaluatingBuiltins = new Set(
  wordList(`
    eval exec source . trap alias unalias builtin enable declare typeset local readonly unset shopt complete bind fc
    hash mapfile readarray getopts let pushd popd ulimit umask
  `),
);

const wrappers: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    "timeout",
    (invocation) =>
      wrapped(invocation, /^(?:-k|--kill-after=[\d.smh]+|-s|--signal=\w+|--preserve-status|--foreground)$/, 1),
  ],
  ["nice", (invocation) => wrapped(invocation, /^(?:-n|-?\d+)$/, 0)],
  ["nohup", (invocation) => wrapped(invocation, /^$/, 0)],
  ["time", (invocation) => wrapped(invocation, /^-p$/, 0)],
  [
    "command",
    ({ args, assessInner }) =>
      args[0]?.type === "plain" && /^-[vV]$/.test(args[0].value) ? reading : assessInner(args),
  ],
  ["env", env],
  ["export", exported],
  ["read", readNames],
]);

/** The risk of a simple command, by its program and every argument. An unknown program is not understood. */
export function assessCommand(invocation: Invocation): Risk {
  const { name } = invocation;
  const rule =
    wrappers.get(name) ??
    readingCommands.get(name) ??
    writingCommands.get(name) ??
    runningCommands.get(name) ??
    (name === "git" ? git : undefined);
  if (rule !== undefined) return rule(invocation);
  if (networkPrograms.has(name)) return beyond(`${name} talks to other machines.`);
  if (outsidePrograms.has(name)) return beyond(`${name} acts outside the workspace.`);
  if (privilegedPrograms.has(name)) return unclear(`${name} acts with other privileges.`);
  if (destructivePrograms.has(name) || name.startsWith("mkfs."))
    return unclear(`${name} can destroy what is not in the workspace.`);
  if (evaluatingBuiltins.has(name))
    return unclear(`${name} changes what the shell does, or runs code that is known only when it runs.`);
  if (/^\.{1,2}\/[\w./-]+$|^[\w-][\w.-]*\/[\w./-]+$/.test(name)) return localProgram(invocation);
  return unclear(`The program ${printable(name)} is not known.`);
}

/** `timeout 5 npm test`: the wrapped command decides. */
function wrapped({ name, args, assessInner }: Invocation, options: RegExp, operands: number): Risk {
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg?.type !== "plain") return unclear(`The command behind ${name} is known only when it runs.`);
    if (!arg.value.startsWith("-")) break;
    if (!options.test(arg.value))
      return unclear(`The effect of the option ${printable(arg.value)} of ${name} is not known.`);
    if (/^-[kns]$/.test(arg.value)) at += 1;
  }
  const ownOperands = args.slice(at, at + operands);
  if (ownOperands.some((arg) => arg.type !== "plain" || !/^[\d.]+[smhd]?$/.test(arg.value)))
    return unclear(`The arguments of ${name} are not understood.`);
  return assessInner(args.slice(at + operands));
}

function env({ args, assessInner }: Invocation): Risk {
  const at = args.findIndex(
    (arg) => !(arg.type === "plain" && isFreeVariable(/^([A-Za-z_]\w*)=/.exec(arg.value)?.[1] ?? "")),
  );
  if (at < 0) return beyond("Shows the environment, which may contain secrets.");
  const next = args[at];
  if (next?.type === "plain" && /^-|=/.test(next.value))
    return unclear(`The argument ${printable(next.value)} of env can change which program runs.`);
  return assessInner(args.slice(at));
}

function exported({ args }: Invocation): Risk {
  const unsafeArg = args.find(
    (arg) => arg.type !== "plain" || !isFreeVariable(/^([A-Za-z_]\w*)(?:=|$)/.exec(arg.value)?.[1] ?? ""),
  );
  return unsafeArg === undefined && args.length > 0
    ? reading
    : unclear(
        `Sets ${printable(unsafeArg?.value ?? "the environment")}, which can change what the commands after it do.`,
      );
}

function readNames({ args }: Invocation): Risk {
  const isHarmless = args.every((arg) => arg.type === "plain" && (arg.value === "-r" || isFreeVariable(arg.value)));
  return isHarmless ? reading : unclear("Reads into variables in a way that is not understood.");
}
