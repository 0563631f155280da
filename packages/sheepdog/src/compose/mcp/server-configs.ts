import { isAbsolute, resolve } from "node:path";
import type { McpServerConfig } from "@sheepdog/agent/mcp";
import { isSecretVariable } from "@sheepdog/guardian/secrets";
import type { McpServerSettings } from "../../config/mcp-keys.ts";
import { isLikeSecret } from "../../config/redact-value.ts";
import type { Config } from "../../config/schema.ts";
import { expandVariables } from "../../config/variables.ts";
import type { Io } from "../../io.ts";
import { depthVariable } from "./depth.ts";

/** The servers that can be started, and sentences about the others. */
export interface McpServerConfigs {
  readonly servers: readonly McpServerConfig[];
  readonly problems: readonly string[];
  /** The secrets in headers and environments. */
  readonly secrets: readonly string[];
}

/** The configured servers with their variables expanded. A server that is switched off is left out. */
export function mcpServerConfigs(
  { mcp }: Pick<Config, "mcp">,
  { env, cwd }: Pick<Io, "env" | "cwd">,
): McpServerConfigs {
  const servers: McpServerConfig[] = [];
  const problems: string[] = [];
  const secrets: string[] = [];
  for (const [name, settings] of Object.entries(mcp.servers)) {
    if (settings.enabled === false) continue;
    const missing: string[] = [];
    const expand = (text: string): string => {
      const expanded = expandVariables(text, env);
      if (!expanded.ok) missing.push(expanded.why);
      return expanded.ok ? expanded.text : "";
    };
    const config = serverConfig(name, settings, { expand, env, cwd });
    const { transport } = config;
    secrets.push(...secretsOf((transport.type === "http" ? transport.headers : transport.env) ?? {}));
    const why = missing[0] ?? (transport.type === "http" ? addressProblem(transport.url) : undefined);
    if (why === undefined) servers.push(config);
    else problems.push(`The MCP server "${name}" is not used: ${why}.`);
  }
  return { servers, problems, secrets };
}

interface Expansion extends Pick<Io, "env" | "cwd"> {
  readonly expand: (text: string) => string;
}

function serverConfig(name: string, settings: McpServerSettings, { expand, env, cwd }: Expansion): McpServerConfig {
  const { command, args = [], url = "", headers = {}, tools, deny_tools: denyTools, kinds } = settings;
  const { start_timeout_secs: startSecs, timeout_secs: secs, max_output_tokens: maxOutputTokens } = settings;
  const all = (record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, expand(value)]));
  const folder = settings.cwd === undefined ? undefined : expand(settings.cwd);
  return {
    name,
    transport:
      command === undefined
        ? { type: "http", url: expand(url), headers: all(headers) }
        : {
            type: "stdio",
            command: expand(command),
            args: args.map(expand),
            env: { ...all(settings.env ?? {}), ...depthVariable(env) },
            ...(folder === undefined ? {} : { cwd: isAbsolute(folder) ? folder : resolve(cwd, folder) }),
          },
    ...(tools === undefined ? {} : { tools }),
    ...(denyTools === undefined ? {} : { denyTools }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(settings.trust_annotations === true ? { trustsAnnotations: true } : {}),
    ...(startSecs === undefined ? {} : { startTimeoutMs: startSecs * 1_000 }),
    ...(secs === undefined ? {} : { callTimeoutMs: secs * 1_000 }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}

function secretsOf(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values)
    .filter(([name]) => isSecretVariable(name) || /auth|cookie|key|token|secret/i.test(name))
    .flatMap(([, value]) => [value, ...value.split(" ").slice(1)]) // "Bearer <token>"
    .filter(isLikeSecret);
}

/** Headers may hold a key: they go over plain http to this machine only. */
function addressProblem(address: string): string | undefined {
  if (!URL.canParse(address)) return `"${address.slice(0, 80)}" is not an address`;
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:") return undefined;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "http:" && isLocal
    ? undefined
    : "its address must begin with https://, unless it is this machine";
}
