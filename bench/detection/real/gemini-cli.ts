import { existsSync } from "node:fs";
import type { FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { geminiCli } from "../rules/gemini-cli.ts";
import { at } from "../rules/rule.ts";
import type { RealRule } from "./real-rule.ts";

const service = new URL(
  "../../peers/gemini-cli/node_modules/@google/gemini-cli-core/dist/src/services/loopDetectionService.js",
  import.meta.url,
);

/** The part of the peer's loop detector that is used. */
interface LoopDetectionService {
  addAndCheck(event: {
    readonly type: "tool_call_request";
    readonly value: { readonly name: string; readonly args: unknown };
  }): { readonly count: number };
  /** Allows the model to continue after the first strike. */
  clearDetection(): void;
}
type Create = new (context: unknown) => LoopDetectionService;

/** The loop detector of @google/gemini-cli-core without its language model; a new one for each user message. */
export async function realGeminiCli(): Promise<RealRule> {
  const names = { name: "@google/gemini-cli-core 0.61.0", reimplementedAs: geminiCli.name };
  if (!existsSync(service)) return { ...names, missing: "it is not installed" };
  try {
    const { LoopDetectionService } = (await import(service.href)) as { LoopDetectionService: Create }; // pinned
    return { ...names, reactions: (run) => strikes(LoopDetectionService, run) };
  } catch (error) {
    return { ...names, missing: `it is installed but cannot be used: ${error}` };
  }
}

/** A configuration without values: detection is on, and nothing is reported. */
const config: unknown = new Proxy({}, { get: () => () => undefined });

function* strikes(Service: Create, run: FlatRun): Generator<Reaction> {
  let detector = new Service({ config, geminiClient: {} });
  let userTurn = 0;
  for (const call of run.calls) {
    if (call.userTurn !== userTurn) detector = new Service({ config, geminiClient: {} });
    userTurn = call.userTurn;
    const { count } = detector.addAndCheck({ type: "tool_call_request", value: { name: call.tool, args: call.args } });
    if (count > 0) yield at(call, count === 1 ? "hint" : "stop");
    detector.clearDetection();
  }
}
