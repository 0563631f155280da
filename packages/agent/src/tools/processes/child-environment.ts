import { hiddenFolderVariables, plainVariables, toolVariables } from "./passed-variables.ts";
import { searchPath } from "./search-path.ts";

const passedOn: ReadonlySet<string> = new Set([...plainVariables, ...toolVariables, ...hiddenFolderVariables]);

/** Keeps programs from prompts, pagers and colours. */
const nonInteractive = {
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

/** Git starts no program that a repository or a submodule names. For commands that need no hooks. */
export const gitWithoutPrograms: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.hooksPath",
  GIT_CONFIG_VALUE_1: "/dev/null",
  GIT_NO_LAZY_FETCH: "1", // a remote that is asked for missing objects can be a program
};

interface ChildOptions {
  readonly workspace: string;
  /** Programs of the workspace are not found by name. */
  readonly isOutsideSandbox?: boolean;
  readonly added?: Readonly<Record<string, string>>;
}

/** The environment of a command: harmless variables of this process, settings against prompts, and the caller's own. */
export function childEnvironment(
  processEnvironment: NodeJS.ProcessEnv,
  { workspace, isOutsideSandbox = false, added = {} }: ChildOptions,
): Record<string, string> {
  const inherited = Object.entries(processEnvironment).flatMap(([name, value]) =>
    value !== undefined && (passedOn.has(name) || name.startsWith("LC_")) ? [[name, value] as const] : [],
  );
  const path = searchPath(processEnvironment, workspace, isOutsideSandbox);
  return { ...Object.fromEntries(inherited), ...nonInteractive, PATH: path.join(":"), ...added };
}
