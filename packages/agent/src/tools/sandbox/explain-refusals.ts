import type { Sandbox } from "./sandbox.ts";

const networkErrors = new RegExp(
  [
    "ENOTFOUND|EAI_AGAIN|ENETUNREACH", // Node
    "Network is unreachable",
    "Could not resolve host|unable to resolve host", // curl, git, wget
    "Temporary failure in name resolution|Name or service not known",
    "dial tcp: lookup", // Go
    "tunnel failed, response 403|statusCode=403|Proxy response \\(403\\)", // the proxy refused
  ].join("|"),
  "i",
);
const gitErrors = /\.git\/(?:\S*\/)?(?:config|hooks|modules|worktrees)\S*: (?:Device or resource busy|Read-only)/;
const readOnlyErrors = /EROFS|Read-only file system/i;

/** Sentences for the model about errors in an output that the sandbox is the likely cause of. */
export function explainRefusals(output: string, { hosts }: Pick<Sandbox, "hosts">): readonly string[] {
  return [
    ...(networkErrors.test(output) ? [networkSentence(hosts)] : []),
    ...(gitErrors.test(output)
      ? ["The sandbox of this command keeps the configuration and the hooks of git unchanged."]
      : []),
    ...(readOnlyErrors.test(output)
      ? ["In the sandbox of this command, only the workspace, /tmp and an empty home folder are writable."]
      : []),
  ];
}

function networkSentence(hosts: readonly string[]): string {
  if (hosts.length === 0) return "The network is off in the sandbox of this command.";
  return `The sandbox of this command reaches only ${hosts.join(", ")}, through the proxy in HTTPS_PROXY.`;
}
