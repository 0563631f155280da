import type { Io } from "../../io.ts";
import { sessionOptionsProblem } from "../run/choose-session.ts";
import { type AgentSetupResult, readAgentSetup } from "../run/agent-setup.ts";
import type { ChatCommandOptions } from "./chat-command.ts";

/** Reads what was asked for: folder, flags, configuration. Nothing is written. */
export async function planChat(options: ChatCommandOptions, io: Pick<Io, "env" | "cwd">): Promise<AgentSetupResult> {
  const { resume, continue: isContinued, model, mode, maxCost, set, cwd } = options;
  const against = sessionOptionsProblem({ resume: resume === true ? undefined : resume, prompt: "" }); // what is asked comes later
  if (against !== undefined) return { ok: false, problems: [against] };
  const work = {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(set === undefined ? {} : { set }),
    ...(cwd === undefined ? {} : { cwd }),
  };
  return readAgentSetup(work, io, resume !== undefined || isContinued === true);
}
