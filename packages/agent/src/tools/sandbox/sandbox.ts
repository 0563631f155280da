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
  /**
   * Called before each command in the sandbox, which ends with `finish`. Before one that leaves it, `undoForgery` is
   * enough. Both undo what mounts could not prevent.
   */
  protectGit(workspace: string): GitProtection;
  /** Returns sentences about what an earlier command had left and what was removed. */
  undoForgery(workspace: string): readonly string[];
}

/** The protection of the git folder during one command. */
export interface GitProtection {
  /** Sentences about what an earlier command had left and what was removed. */
  readonly notes: readonly string[];
  /** Called when all processes of a command in the sandbox have ended. Returns sentences about what was removed. */
  finish(): readonly string[];
}

/** A sandbox, or why there is none and what the user can do about it. */
export type FoundSandbox =
  | { readonly isAvailable: true; readonly sandbox: Sandbox }
  | { readonly isAvailable: false; readonly reason: string; readonly fix: string };
