import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "../sandbox/find-sandbox.ts";
import type { FoundSandbox, Sandbox } from "../sandbox/sandbox.ts";

/** A way to run commands in tests. */
export interface SandboxMode {
  /** For the name of the tests; if they are skipped, it says why and how to install what is missing. */
  readonly name: string;
  readonly isAvailable: boolean;
  readonly sandbox?: Sandbox;
}

/** Commands without a sandbox, and commands in a sandbox if this machine has one. */
export async function sandboxModes(): Promise<readonly [SandboxMode, SandboxMode]> {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-probe-"));
  const found = await findSandbox({ workspace: folder });
  rmSync(folder, { recursive: true });
  return [{ name: "without a sandbox", isAvailable: true }, sandboxMode(found)];
}

function sandboxMode(found: FoundSandbox): SandboxMode {
  if (found.isAvailable) return { name: "in a sandbox", isAvailable: true, sandbox: found.sandbox };
  if (process.env["SHEEPDOG_REQUIRE_SANDBOX"] === "1") throw new Error(`${found.reason} ${found.fix}`);
  return { name: `in a sandbox (skipped: ${found.reason} ${found.fix})`, isAvailable: false };
}
