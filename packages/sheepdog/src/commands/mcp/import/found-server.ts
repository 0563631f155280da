import { isSecretVariable } from "@sheepdog/guardian/secrets";
import { isLikeSecret } from "../../../config/redact-value.ts";

/** A server in the configuration of another program, as a table for ours. */
export interface FoundServer {
  readonly name: string;
  readonly table: Readonly<Record<string, unknown>>;
  /** Sentences for the user about it. */
  readonly notes: readonly string[];
}

export type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads an entry of `mcpServers`, as in `.mcp.json`, Claude Code, Gemini CLI and Cursor. References to variables stay
 * references. Undefined: it is no server that we can use, and `skipped` says why.
 */
export function readJsonServer(name: string, entry: unknown): FoundServer | { readonly skipped: string } {
  if (!isEntry(entry)) return { skipped: "it is not a table" };
  const url = textOf(entry["httpUrl"]) ?? textOf(entry["url"]);
  const command = textOf(entry["command"]);
  if (entry["type"] === "sse" || (entry["type"] === undefined && url !== undefined && /\/sse\/?$/.test(url)))
    return { skipped: "it uses SSE, which is replaced by streamable HTTP; ask its maker for the new address" };
  if ((command === undefined) === (url === undefined)) return { skipped: "it has no command and no url" };
  const secs = typeof entry["timeout"] === "number" ? Math.ceil(entry["timeout"] / 1_000) : undefined;
  return found(name, {
    ...(command === undefined ? { url } : { command, args: textsOf(entry["args"]) }),
    ...(command === undefined ? { headers: pairsOf(entry["headers"]) } : { env: pairsOf(entry["env"]) }),
    ...(command === undefined ? {} : { cwd: textOf(entry["cwd"]) }),
    tools: textsOf(entry["includeTools"]),
    deny_tools: textsOf(entry["excludeTools"]),
    timeout_secs: secs,
    enabled: entry["disabled"] === true ? false : undefined,
  });
}

/** Reads an entry of Gemini CLI, which also writes `$NAME` for a variable. */
export function readGeminiServer(name: string, entry: unknown): ReturnType<typeof readJsonServer> {
  const withBraces = (text: string) =>
    text.replaceAll(/(^|[^$\\])\$([A-Z_][A-Z0-9_]*)/g, (_, before, variable) => `${before}\${${variable}}`);
  return readJsonServer(name, mapTexts(entry, withBraces));
}

/** Reads a table of Codex' `[mcp_servers]`. */
export function readCodexServer(name: string, entry: unknown): FoundServer | { readonly skipped: string } {
  if (!isEntry(entry)) return { skipped: "it is not a table" };
  const command = textOf(entry["command"]);
  const url = textOf(entry["url"]);
  if ((command === undefined) === (url === undefined)) return { skipped: "it has no command and no url" };
  const bearer = textOf(entry["bearer_token_env_var"]);
  const fromVariables = Object.entries(pairsOf(entry["env_http_headers"]) ?? {}).map(([header, variable]) => [
    header,
    `\${${variable}}`,
  ]);
  const passed = (textsOf(entry["env_vars"]) ?? []).map((variable) => [variable, `\${${variable}:-}`]);
  const secs = (key: string) => (typeof entry[key] === "number" ? Math.ceil(entry[key]) : undefined);
  return found(name, {
    ...(command === undefined
      ? {
          url,
          headers: {
            ...pairsOf(entry["http_headers"]),
            ...Object.fromEntries(fromVariables),
            ...(bearer === undefined ? {} : { Authorization: `Bearer \${${bearer}}` }),
          },
        }
      : {
          command,
          args: textsOf(entry["args"]),
          env: { ...Object.fromEntries(passed), ...pairsOf(entry["env"]) },
          cwd: textOf(entry["cwd"]),
        }),
    tools: textsOf(entry["enabled_tools"]),
    deny_tools: textsOf(entry["disabled_tools"]),
    start_timeout_secs: secs("startup_timeout_sec"),
    timeout_secs: secs("tool_timeout_sec"),
    enabled: entry["enabled"] === false ? false : undefined,
  });
}

/** Leaves out what is not set, writes variables in our notation, and flags secrets that stand there in plain text. */
function found(name: string, table: Readonly<Record<string, unknown>>): FoundServer {
  const kept = Object.entries(table).flatMap(([key, value]) => {
    if (value === undefined || (isEntry(value) && Object.keys(value).length === 0)) return [];
    if (Array.isArray(value) && value.length === 0) return [];
    return [[key, mapTexts(value, withOurVariables)] as const];
  });
  const safeName =
    name
      .replaceAll(/[^A-Za-z0-9-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 24) || "server";
  const secrets = kept
    .filter(([key]) => key === "env" || key === "headers")
    .flatMap(([, value]) => Object.entries(isEntry(value) ? value : {}))
    .filter(([key, value]) => (isSecretVariable(key) || /auth|token|key/i.test(key) ? isPlainSecret(value) : false))
    .map(([key]) => key);
  return {
    name: safeName,
    table: Object.fromEntries(kept),
    notes: [
      ...(safeName === name ? [] : [`"${name}" is called "${safeName}" here`]),
      ...secrets.map((key) => `${key} is a secret in plain text; better: put it into a variable and write \${NAME}`),
    ],
  };
}

function isPlainSecret(value: unknown): boolean {
  return typeof value === "string" && !value.includes("${") && isLikeSecret(value);
}

/** Cursor writes `${env:NAME}`. */
function withOurVariables(text: string): string {
  return text.replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, (_, variable) => `\${${variable}}`);
}

/** The same value with all its texts changed. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isEntry(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;
}

function pairsOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isEntry(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (typeof each === "string" ? [[key, each] as const] : [])),
  );
}

export function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
