import { builtinTools, type CallPart, createGate, type ExplainedDecision, ok, type Tool } from "@sheepdog/agent";
import { z } from "zod";
import { unattendedCode } from "../../compose/open-agent.ts";
import { permissionRules } from "../../compose/permission-rules.ts";
import { loadConfigOrReport } from "../../config/load-config-or-report.ts";
import type { Io } from "../../io.ts";

/** A call to decide about. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: NonNullable<CallPart["input"]>;
}

/** Decides about a call in the current folder, and runs nothing. */
export type Explain = (call: PlannedCall) => ExplainedDecision;

/** The gate with the rules of the configuration; undefined, with messages, if the configuration has problems. */
export async function openGate(io: Io, { attended }: { readonly attended: boolean }): Promise<Explain | undefined> {
  const loaded = await loadConfigOrReport(io);
  if (loaded === undefined) return undefined;
  const { security } = loaded.config;
  const gate = createGate({ attended, rules: permissionRules(security), ...unattendedCode(security) });
  const tools = builtinTools({ workspace: io.cwd });
  return ({ tool: name, input }) => {
    const tool = tools.find((each) => each.name === name) ?? externalTool(name);
    return gate.explain({ type: "call", id: "call", tool: name, input }, tool, { workspace: io.cwd });
  };
}

/** A tool that is not built in is judged like one of another program. */
function externalTool(name: string): Tool {
  return { name, origin: "external", description: "", input: z.unknown(), run: () => ok("") };
}
