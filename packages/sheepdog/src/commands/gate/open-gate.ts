import {
  builtinTools,
  type CallPart,
  createGate,
  type ExplainedDecision,
  findSandbox,
  ok,
  type Tool,
} from "@sheepdog/agent";
import { z } from "zod";
import { unattendedCode } from "../../compose/open-agent.ts";
import { type OpenSandboxOptions, sandboxOptions } from "../../compose/open-sandbox.ts";
import { permissionRules } from "../../compose/permission-rules.ts";
import { loadConfigOrReport } from "../../config/load-config-or-report.ts";
import { resolveHome } from "../../home.ts";
import type { Io } from "../../io.ts";

/** A call to decide about. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: NonNullable<CallPart["input"]>;
}

/**
 * Decides about a call in the current folder, and runs nothing. Lessons and the files of a session are not known: a run
 * may be stricter because of them.
 */
export type Explain = (call: PlannedCall) => ExplainedDecision;

/** What a run knows and `Explain` does not, in a sentence for the user. */
export const leftOut =
  "Lessons from earlier calls, and files that the agent writes in its session, are not considered.";

/** The gate with the rules and the sandbox of the configuration; undefined, with messages, if that has problems. */
export async function openGate(io: Io, { attended }: { readonly attended: boolean }): Promise<Explain | undefined> {
  const loaded = await loadConfigOrReport(io);
  if (loaded === undefined) return undefined;
  const { config } = loaded;
  const { security } = config;
  const home = resolveHome(io.env);
  const isSandboxed = await hasSandbox({ config, home, cwd: io.cwd });
  const rules = permissionRules(security);
  const gate = createGate({ attended, rules, protectedFolders: [home.dir], ...unattendedCode(security) });
  const tools = builtinTools({ workspace: io.cwd });
  return ({ tool: name, input }) => {
    const tool = tools.find((each) => each.name === name) ?? externalTool(name);
    return gate.explain({ type: "call", id: "call", tool: name, input }, tool, {
      workspace: io.cwd,
      isSandboxed: isSandboxed && name === "bash",
    });
  };
}

/** An agent that needs a sandbox does not start without it, so its commands are judged as inside one. */
async function hasSandbox(options: OpenSandboxOptions): Promise<boolean> {
  const { sandbox } = options.config.security;
  if (sandbox !== "auto") return sandbox === "required";
  return (await findSandbox({ ...sandboxOptions(options), hosts: [] })).isAvailable; // hosts would start a proxy
}

/** A tool that is not built in is judged like one of another program. */
function externalTool(name: string): Tool {
  return { name, origin: "external", description: "", input: z.unknown(), run: () => ok("") };
}
