import { findSandbox, type Sandbox, type SandboxOptions } from "@sheepdog/agent";
import type { Config } from "../config/schema.ts";
import type { Home } from "../home.ts";

/** What decides about the sandbox. */
export interface OpenSandboxOptions {
  readonly config: Config;
  readonly home: Home;
  /** The workspace, as an absolute path. */
  readonly cwd: string;
}

/** The sandbox of commands, if there is one, or a sentence about why the agent cannot start without it. */
export type OpenedSandbox =
  | { readonly ok: true; readonly sandbox?: Sandbox }
  | { readonly ok: false; readonly problem: string };

/** Finds the sandbox that `security.sandbox` asks for. */
export async function openSandbox(options: OpenSandboxOptions): Promise<OpenedSandbox> {
  const { security } = options.config;
  if (security.sandbox === "off") return { ok: true };
  const found = await findSandbox(sandboxOptions(options));
  if (found.isAvailable) return { ok: true, sandbox: found.sandbox };
  if (security.sandbox === "auto") return { ok: true };
  return {
    ok: false,
    problem: `Commands need a sandbox (security.sandbox = "required"). ${found.reason} ${found.fix}`,
  };
}

/** What the sandbox of a workspace shows and hides. */
export function sandboxOptions({ config: { security }, home, cwd }: OpenSandboxOptions): SandboxOptions {
  return { workspace: cwd, hidden: [home.dir], hosts: security.sandbox_hosts };
}
