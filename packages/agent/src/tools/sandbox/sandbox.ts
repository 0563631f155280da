/** A command line and its environment. */
export interface SandboxedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

/** What runs in a sandbox. */
export interface SandboxRequest {
  /** Absolute path; the command starts in it and can write to it. */
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
  /** For the shell that starts the command: statements such as limits, each ended by a semicolon. */
  readonly setup: string;
  /** The program and its arguments. */
  readonly argv: readonly [string, ...string[]];
}

/** Runs commands where they can write to the workspace only. */
export interface Sandbox {
  /** Hosts that commands can reach. Empty: the network is off. */
  readonly hosts: readonly string[];
  /**
   * The command line that runs a command in the sandbox. Its stdout is the whole output of the command; its stderr is a
   * report that `readReport` understands.
   */
  wrap(request: SandboxRequest): SandboxedCommand;
  /** Called after each command: undoes what the mounts could not prevent. Returns sentences about it. */
  cleanUp(workspace: string): readonly string[];
}

/** A sandbox, or why there is none and what the user can do about it. */
export type FoundSandbox =
  | { readonly isAvailable: true; readonly sandbox: Sandbox }
  | { readonly isAvailable: false; readonly reason: string; readonly fix: string };
