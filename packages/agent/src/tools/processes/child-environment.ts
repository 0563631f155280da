import { isAbsolute } from "node:path";

/** Where programs, homes and languages are; nothing that could hold a secret. */
const passed: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE"],
  ...[
    "JAVA_HOME",
    "GOPATH",
    "GOROOT",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "NVM_DIR",
    "PNPM_HOME",
    "VOLTA_HOME",
  ],
  ...[
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
  ],
]);

/** What keeps programs from asking, paging and colouring: nobody is there to answer. */
const quiet = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
  SSH_ASKPASS_REQUIRE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  PYTHONUNBUFFERED: "1",
} as const;

/** The environment a command is given: a few harmless variables of ours by name, what keeps it quiet, and what the caller adds. */
export function childEnvironment(
  ours: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = Object.entries(ours).flatMap(([name, value]) =>
    value !== undefined && (passed.has(name) || name.startsWith("LC_")) ? [[name, value] as const] : [],
  );
  const environment: Record<string, string> = { ...Object.fromEntries(kept), ...quiet };
  const path = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    .split(":")
    .filter((folder) => isAbsolute(folder)); // "." would run what a repository brings
  return { ...environment, PATH: path.join(":"), ...added };
}
