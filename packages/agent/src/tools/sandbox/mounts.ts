/** The folders of the sandbox, as data: what is visible, what is hidden, what stays read-only, and why. */

/** The system: visible, read-only. What is not listed here, or below, does not exist inside. */
export const systemFolders: readonly string[] = [
  "/usr", // programs and libraries
  "/bin", // often a link into /usr, as the next ones
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc", // users, certificates, settings of programs
  "/opt", // programs that were installed by hand
  "/nix", // the programs of NixOS and of the package manager Nix
  "/gnu", // the programs of Guix
  "/snap", // the programs of snap
  "/run/current-system", // the system profile of NixOS; the rest of /run stays hidden
  "/sys", // the number of processors and memory limits, which runtimes ask for
];

/** Parts of the system that hold secrets. Normal users cannot read them; an agent that runs as root could. */
export const systemSecrets: readonly string[] = [
  "/etc/shadow", // hashes of passwords
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/security/opasswd",
  "/etc/sudoers", // no secret, but it tells who has which rights
  "/etc/sudoers.d",
  "/etc/ssh", // the keys of this machine
  "/etc/ssl/private", // the private keys of its certificates
  "/etc/pki/tls/private",
  "/etc/letsencrypt",
  "/etc/krb5.keytab",
  "/etc/ipsec.secrets",
  "/etc/openvpn",
  "/etc/ppp", // passwords of dial-up connections
  "/etc/wireguard",
  "/etc/NetworkManager", // passwords of wireless networks
  "/etc/docker",
  "/etc/kubernetes",
];

/** Folders that are new, empty, writable and private to each command. The home folder is another one. */
export const privateFolders: readonly string[] = ["/tmp", "/var/tmp"];

/**
 * What development needs of the home folder: visible, read-only. Folders with passwords or tokens are not here, so
 * some tools are listed by their parts.
 */
export const homeTools: readonly string[] = [
  ".nvm", // Node version managers
  ".fnm",
  ".local/share/fnm",
  ".nodenv",
  ".volta",
  ".asdf", // managers of many languages
  ".local/share/mise",
  ".local/share/rtx",
  ".pyenv", // Python
  ".local/share/uv",
  ".local/lib", // packages of pip install --user
  ".local/pipx",
  ".local/share/pipx",
  ".rbenv", // Ruby
  ".rvm",
  ".sdkman/candidates", // Java
  ".jenv",
  ".m2/repository", // not settings.xml, which holds passwords
  ".rustup", // Rust
  ".cargo/bin", // not credentials.toml
  ".cargo/registry",
  ".cargo/git",
  ".cargo/env",
  "go/bin", // Go
  "go/pkg/mod",
  ".goenv",
  ".bun/bin", // other JavaScript runtimes and package managers
  ".deno/bin",
  ".local/share/pnpm",
  ".yarn/bin",
  ".local/bin", // programs of the user; not the rest of .local, which holds key rings
  "bin",
  ".dotnet", // .NET
  ".ghcup", // Haskell
  ".opam", // OCaml
  ".cache/ms-playwright", // browsers for tests
  ".cache/puppeteer",
];

/** Secrets in the folders above, and in folders that PATH may lead to: empty. */
export const homeSecrets: readonly string[] = [
  ".local/share/uv/credentials", // passwords and tokens of uv auth login
  ".dotnet/corefx", // private keys of certificates
  ".cargo/credentials",
  ".cargo/credentials.toml",
];

/** Read-only in each git folder. The rest is writable, so that commits, branches and stashes work. */
export const protectedInGit: readonly string[] = [
  "config", // can name programs that git runs: hooks, filters, pagers, editors
  "config.worktree",
  "hooks", // programs that git runs
  "remotes", // old names of remotes: a push to a folder runs the hooks of that folder
  "branches",
  "modules", // the git folders of submodules, with hooks and configurations of their own
  "worktrees", // the git folders of linked worktrees; the one of the workspace is writable
  "commondir", // of a linked worktree: names the folder with the configuration
  "gitdir", // of a linked worktree
];

/** Empty folders in each git folder that has no such folder: a command cannot add them. */
export const emptyInGit: readonly string[] = ["hooks", "remotes", "branches", "modules", "worktrees"];

/** Read-only in the workspace. */
export const protectedInWorkspace: readonly string[] = [
  ".sheepdog", // the folder of Sheepdog, if it is in the workspace
  ".git", // a file that names the git folder; a folder is writable except for the parts above
];
