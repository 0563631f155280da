import { type Conversation, outputTokens } from "./conversation.ts";
import type { Meter } from "./meter.ts";

/** A part of a stream, as version 3 of the AI SDK's specification has it. */
export interface StreamPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A language model of version 3, as far as it is used here. */
export interface ScriptedModel {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doStream(options: {
    readonly prompt: unknown;
    readonly tools?: unknown;
  }): Promise<{ readonly stream: ReadableStream<StreamPart> }>;
  doGenerate(): Promise<never>;
}

/** Streams the conversation, turn by turn: the whole reply is there at once, and what was asked is not looked at. */
export function scriptedModel({ turns, answer }: Conversation, meter: Meter): ScriptedModel {
  let next = 0;
  return {
    specificationVersion: "v3",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    async doStream({ prompt }) {
      meter.request(prompt);
      const turn = turns[next];
      next += 1;
      return {
        stream: new ReadableStream<StreamPart>({
          start(controller) {
            controller.enqueue({ type: "stream-start", warnings: [] });
            controller.enqueue({ type: "text-start", id: "0" });
            for (const delta of turn?.deltas ?? answer) controller.enqueue({ type: "text-delta", id: "0", delta });
            controller.enqueue({ type: "text-end", id: "0" });
            if (turn !== undefined)
              controller.enqueue({
                type: "tool-call",
                toolCallId: turn.callId,
                toolName: "read_file",
                input: turn.input,
              });
            controller.enqueue({
              type: "finish",
              finishReason: finishReason(turn !== undefined),
              usage: usage(turn?.inputTokens ?? 1_000_000),
            });
            controller.close();
          },
        }),
      };
    },
    async doGenerate() {
      throw new Error("Expected to be streamed from; nobody else is asked here.");
    },
  };
}

function finishReason(hasCalls: boolean): unknown {
  return hasCalls ? { unified: "tool-calls", raw: "tool_calls" } : { unified: "stop", raw: "stop" };
}

function usage(inputTokens: number): unknown {
  return {
    inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
  };
}
