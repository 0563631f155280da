import { isSecretVariable } from "@sheepdog/guardian/secrets";
import { isLikeSecret } from "../../config/redact-value.ts";
import { setTable } from "../../config/set-value.ts";
import { shownPath } from "../../config/shown-path.ts";
import { hasVariables } from "../../config/variables.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { approveCommand } from "./approve-command.ts";
import { withServers } from "./loaded-servers.ts";
import { removeCommand } from "./remove-command.ts";

/** The options of `mcp add`. */
export interface AddOptions {
  readonly url?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly tool?: readonly string[];
  readonly trustAnnotations?: true;
  readonly yes?: true;
  readonly replace?: true;
  /** False with `--no-test`. */
  readonly test: boolean;
}

interface NamedServer {
  readonly name: string;
  readonly command: readonly string[];
}

/** Adds a server to the user's file, starts it, and asks the user to approve its tools. */
export async function addCommand({ name, command }: NamedServer, options: AddOptions, io: Io): Promise<number> {
  const refuse = async (...problems: readonly string[]) => {
    for (const problem of problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  };
  const { url, header = [], env = [], tool, trustAnnotations } = options;
  const [program, ...args] = command;
  if ((program === undefined) === (url === undefined))
    return refuse("name either a program after -- or an address with --url");
  const pairs = [readPairs("--header", header), readPairs("--env", env)] as const;
  const wrong = pairs.find((each) => typeof each === "string");
  if (typeof wrong === "string") return refuse(wrong);
  if (url !== undefined && !isSafeAddress(url))
    return refuse("the address must begin with https://; http:// is only for this machine");
  return withServers(io, [], async ({ config }) => {
    const isKnown = Object.hasOwn(config.mcp.servers, name);
    if (isKnown && options.replace !== true)
      return refuse(`there is an MCP server "${name}" already; to replace it, repeat this with --replace`);
    if (isKnown && (await removeCommand(name, io)) !== exitCode.done) return exitCode.failed;
    const [headers, variables] = pairs;
    const table = {
      ...(program === undefined ? { url } : { command: program, ...(args.length === 0 ? {} : { args }) }),
      ...(header.length === 0 ? {} : { headers }),
      ...(env.length === 0 ? {} : { env: variables }),
      ...(tool === undefined ? {} : { tools: tool }),
      ...(trustAnnotations === undefined ? {} : { trust_annotations: true }),
    };
    const file = resolveHome(io.env).configFile;
    const added = await setTable(file, ["mcp", "servers", name], table, io.env);
    if (!added.ok) return refuse(...added.problems);
    await writeMessage(io, plainText(`the MCP server "${name}" is in ${shownPath(file, io.cwd)}`));
    for (const secret of literalSecrets(pairs))
      await writeMessage(io, plainText(`${secret} holds a secret in that file; better: '${secret}=\${${secret}}'`));
    if (!options.test) return exitCode.done;
    const approved = await approveCommand(name, options, io);
    if (approved !== exitCode.done)
      await writeMessage(io, `"${name}" is kept; correct it with --replace, or remove it: sheepdog mcp remove ${name}`);
    return approved;
  });
}

/** Headers and results must not cross a network in the clear. A variable is read when the server starts. */
function isSafeAddress(url: string): boolean {
  if (!URL.canParse(url)) return hasVariables(url);
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}

type Pairs = Readonly<Record<string, string>>;

function readPairs(option: string, texts: readonly string[]): Pairs | string {
  const pairs: Record<string, string> = {};
  for (const text of texts) {
    const [, name = "", value = ""] = /^([^=:\s]+)[=:]\s*(.*)$/s.exec(text) ?? [];
    if (name === "" || value === "") return `${option} must be name=value`;
    pairs[name] = value;
  }
  return pairs;
}

/** The names of values that look like secrets. */
function literalSecrets(pairs: readonly (Pairs | string)[]): readonly string[] {
  return pairs
    .flatMap((each) => (typeof each === "string" ? [] : Object.entries(each)))
    .filter(([name, value]) => !hasVariables(value) && isLikeSecret(value) && isSecretVariable(name))
    .map(([name]) => name);
}
