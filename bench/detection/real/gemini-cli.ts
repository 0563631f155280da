import { existsSync } from "node:fs";
import type { FlatRun } from "../flat-run.ts";
import { geminiCli } from "../rules/gemini-cli.ts";
import type { RealRule } from "./real-rule.ts";

const service = new URL(
  "../../peers/gemini-cli/node_modules/@google/gemini-cli-core/dist/src/services/loopDetectionService.js",
  import.meta.url,
);

/** What is used of the peer's loop detector. */
interface LoopDetectionService {
  addAndCheck(event: {
    readonly type: "tool_call_request";
    readonly value: { readonly name: string; readonly args: unknown };
  }): { readonly count: number };
}
type Create = new (context: unknown) => LoopDetectionService;

/** The loop detector of @google/gemini-cli-core itself, its language model left out; a new one at each person's prompt. */
export async function realGeminiCli(): Promise<RealRule> {
  const about = { name: "@google/gemini-cli-core 0.61.0", reimplementedAs: geminiCli.name };
  if (!existsSync(service)) return { ...about, missing: "it is not installed here" };
  try {
    const { LoopDetectionService } = (await import(service.href)) as { LoopDetectionService: Create }; // the class the pinned version exports
    return { ...about, firstReaction: (run) => firstStrike(LoopDetectionService, run) };
  } catch (error) {
    return { ...about, missing: `it is installed but cannot be used: ${error}` };
  }
}

/** Answers every question about configuration with nothing: detection is not disabled, nothing is reported anywhere. */
const config: unknown = new Proxy({}, { get: () => () => undefined });

function firstStrike(Service: Create, run: FlatRun): number | undefined {
  let detector = new Service({ config, geminiClient: {} });
  let personTurn = 0;
  for (const call of run.calls) {
    if (call.personTurn !== personTurn) detector = new Service({ config, geminiClient: {} });
    personTurn = call.personTurn;
    if (detector.addAndCheck({ type: "tool_call_request", value: { name: call.tool, args: call.args } }).count > 0)
      return call.index;
  }
  return undefined;
}
