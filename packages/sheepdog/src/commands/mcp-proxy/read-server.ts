/** The server behind the proxy. */
export type ProxiedServer =
  | { readonly type: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly type: "http"; readonly url: URL; readonly headers: Readonly<Record<string, string>> };

interface ServerOptions {
  readonly url: string | undefined;
  readonly header: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The server that the command line names; a sentence if it names none, or two. */
export function readServer(
  [command, ...args]: readonly string[],
  { url, header, env }: ServerOptions,
): ProxiedServer | string {
  if (url === undefined) {
    if (command === undefined) return "name the server: sheepdog mcp-proxy -- <server command>, or --url <address>";
    return header.length === 0 ? { type: "stdio", command, args } : "--header needs --url; a command has none";
  }
  if (command !== undefined) return `there are two servers, --url and "${command}"; name one`;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol))
    return `--url is "${url}"; it must be an address that begins with http:// or https://`;
  const headers: Record<string, string> = {};
  for (const text of header) {
    const [, name, value] = /^([^=:\s]+)[=:]\s*(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) return "--header must be name=value";
    const missing = variables(value).find((variable) => env[variable] === undefined);
    if (missing !== undefined) return `--header ${name} needs the variable ${missing}, which is not set`;
    headers[name] = value.replace(variable, (_, found: string) => env[found] ?? "");
  }
  return { type: "http", url: address, headers };
}

const variable = /\$\{(\w+)\}/g;

function variables(value: string): readonly string[] {
  return [...value.matchAll(variable)].map(([, name = ""]) => name);
}
