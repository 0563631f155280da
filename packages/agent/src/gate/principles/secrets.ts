import { basename } from "node:path";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { knownArgs, programOf, type SimpleCommand } from "../command/simple-command.ts";
import { printable } from "../risk/risk.ts";
import { anyWord, wordList } from "../risk/word-list.ts";
import { findings, type JudgePrinciple, type PrincipleInput, textsIn } from "./principle-input.ts";

const { fine, caution, against } = findings("secrets");

/** Characters of each argument that are searched. */
const MAX_CHARS = 100_000;

const secretFile = new RegExp(
  `^${anyWord(String.raw`
    \.env(?:\..+)? \.envrc id_(?:rsa|dsa|ecdsa|ed25519) .*\.(?:pem|p12|pfx|key|keystore) \.npmrc \.pypirc \.netrc
    \.git-credentials \.htpasswd credentials(?:\.\w+)? secrets?\.(?:ya?ml|json|toml|env)
  `)}$`,
  "i",
);
const harmlessFile = /^\.env\.(?:example|sample|template|dist)$/i;

/** Do keys and passwords stay where they are? */
export const secrets: JudgePrinciple = (input) => {
  const texts = textsIn(input.call.input).map((text) => text.slice(0, MAX_CHARS));
  const holdsSecret = texts.some((text) => redactSecrets(text) !== text);
  const file = secretFileIn(input);
  if (leavesMachine(input)) {
    if (holdsSecret) return against("Sends something that looks like a key or a password to another machine.");
    if (file !== undefined)
      return against(`Sends data to another machine and uses ${printable(file)}, which may hold secrets.`);
  }
  if (holdsSecret) return caution("The arguments contain something that looks like a key or a password.");
  if (file !== undefined) return caution(`${printable(file)} may hold secrets.`);
  return fine("No secret was found.");
};

const sendingPrograms = new Set(wordList("curl wget scp sftp ftp ssh rsync nc ncat netcat telnet socat mail sendmail"));

/** Whether the call sends its arguments to another machine. */
function leavesMachine({ call: { input = {} }, tool, commands }: PrincipleInput): boolean {
  if (commands.length > 0) return commands.some(sends);
  return tool.kind === "send" || Object.keys(input).some((name) => /^(?:urls?|uri|href|link|endpoint)$/i.test(name));
}

function sends(command: SimpleCommand): boolean {
  const hasUrl = knownArgs(command).some((arg) => /\bhttps?:\/\//i.test(arg));
  return sendingPrograms.has(programOf(command)) || (hasUrl && command.risk.tier >= 3);
}

/** The first file with a name that secrets are usually kept under. */
function secretFileIn({ risk, commands }: PrincipleInput): string | undefined {
  const paths = (risk.paths ?? []).map(({ path }) => path);
  const args = commands.flatMap((command) => knownArgs(command).map((arg) => arg.replace(/^(?:--?[\w-]+=)?@?/, "")));
  return [...paths, ...args].find((path) => secretFile.test(basename(path)) && !harmlessFile.test(basename(path)));
}
