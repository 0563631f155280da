import { existsSync } from "node:fs";
import type { Contestant } from "../measure/rounds.ts";
import type { Input } from "./input.ts";

const service = new URL(
  "../peers/gemini-cli/node_modules/@google/gemini-cli-core/dist/src/services/loopDetectionService.js",
  import.meta.url,
);

/** The part of the peer's loop detector that is used. */
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

/** gemini-cli's loop detector on tool calls; it ignores results. Undefined when it is not installed. */
export function geminiCliOnCalls(): Promise<Contestant<Input> | undefined> {
  return contestant(({ tool, args }) => ({ type: "tool_call_request", value: { name: tool, args } }));
}

/** gemini-cli's loop detector on streamed text. Undefined when it is not installed. */
export function geminiCliOnText(): Promise<Contestant<string> | undefined> {
  return contestant((value) => ({ type: "content", value }));
}

async function contestant<T>(eventOf: (input: T) => ToolCall | Content): Promise<Contestant<T> | undefined> {
  const detector = await loadDetector();
  if (detector === undefined) return undefined;
  return {
    name: "gemini-cli",
    run(batch) {
      for (const input of batch) {
        if (detector.addAndCheck(eventOf(input)).count > 0)
          throw new Error("Expected no loop in content that does not repeat; the detector stops after its first one.");
      }
    },
  };
}

async function loadDetector(): Promise<LoopDetectionService | undefined> {
  if (!existsSync(service)) return undefined;
  try {
    const { LoopDetectionService } = (await import(service.href)) as {
      LoopDetectionService: new (context: unknown) => LoopDetectionService;
    }; // the class of the pinned version
    return new LoopDetectionService({ config: { getDisableLoopDetection: () => false }, geminiClient: {} });
  } catch (error) {
    console.error(`bench: gemini-cli is installed but cannot be used: ${error}`);
    return undefined;
  }
}
