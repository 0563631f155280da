/** The variables of this process that commands get. None of them holds a secret. */

/** The user, the machine and the language. */
export const plainVariables: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LANGUAGE"],
  "GOPATH", // these two name folders with more than a tool: the sandbox shows parts of them
  "CARGO_HOME",
];

/** They name the folder or file of a tool: visible in the sandbox, read-only. */
export const toolVariables: readonly string[] = [
  "JAVA_HOME",
  "GOROOT",
  "RUSTUP_HOME",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "NVM_DIR",
  "PNPM_HOME",
  "VOLTA_HOME",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

/** They name folders that the sandbox hides: inside, programs use their default in the private home folder. */
export const hiddenFolderVariables: readonly string[] = [
  "TMPDIR", // /tmp is the private one
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
];
