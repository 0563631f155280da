import { existsSync } from "node:fs";
import type { Contestant } from "../measure/rounds.ts";
import type { Input } from "./input.ts";

const service = new URL(
  "../peers/gemini-cli/node_modules/@google/gemini-cli-core/dist/src/services/loopDetectionService.js",
  import.meta.url,
);

/** What is used of the peer's loop detector. */
interface LoopDetectionService {
  addAndCheck(event: ToolCall | Content): { readonly count: number };
}

interface ToolCall {
  readonly type: "tool_call_request";
  readonly value: { readonly name: string; readonly args: unknown };
}

interface Content {
  readonly type: "content";
  readonly value: string;
}

/** gemini-cli's loop detector, fed the same calls; it does not look at results. Undefined where it is not installed. */
export async function geminiCli(): Promise<Contestant<Input> | undefined> {
  const detector = await load();
  if (detector === undefined) return undefined;
  return {
    name: "gemini-cli",
    run(batch) {
      for (const { tool, args } of batch) {
        const { count } = detector.addAndCheck({ type: "tool_call_request", value: { name: tool, args } });
        if (count > 0)
          throw new Error("Expected no loop among calls of fresh content; after one, the detector no longer looks.");
      }
    },
  };
}

/** The same detector, listening to streamed text. */
export async function geminiCliListening(): Promise<Contestant<string> | undefined> {
  const detector = await load();
  if (detector === undefined) return undefined;
  return {
    name: "gemini-cli",
    run(batch) {
      for (const value of batch) {
        const { count } = detector.addAndCheck({ type: "content", value });
        if (count > 0)
          throw new Error(
            "Expected no loop in text that does not repeat itself; after one, the detector no longer looks.",
          );
      }
    },
  };
}

async function load(): Promise<LoopDetectionService | undefined> {
  if (!existsSync(service)) return undefined;
  try {
    const { LoopDetectionService } = (await import(service.href)) as {
      LoopDetectionService: new (context: unknown) => LoopDetectionService;
    }; // the class the pinned version exports
    return new LoopDetectionService({ config: { getDisableLoopDetection: () => false }, geminiClient: {} });
  } catch (error) {
    console.error(`bench: gemini-cli is there but cannot be used: ${error}`); // half an install is none
    return undefined;
  }
}
