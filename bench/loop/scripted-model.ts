import type { Model } from "../../packages/agent/dist/index.js";
import { type Conversation, outputTokens, toolName } from "./conversation.ts";
import type { Meter } from "./meter.ts";

/** A part of a stream in version 3 of the AI SDK's specification. */
export interface StreamPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The part of a version 3 language model that the contestants use. */
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

/** Creates a model that streams the conversation turn by turn and ignores its prompt. Each reply is sent at once. */
export function scriptedModel({ turns, answer }: Conversation, meter: Meter): ScriptedModel {
  let nextTurn = 0;
  return {
    specificationVersion: "v3",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    async doStream({ prompt }) {
      meter.request(prompt);
      const turn = turns[nextTurn];
      nextTurn += 1;
      return {
        stream: new ReadableStream<StreamPart>({
          start(controller) {
            controller.enqueue({ type: "stream-start", warnings: [] });
            controller.enqueue({ type: "text-start", id: "0" });
            for (const delta of turn?.deltas ?? answer) controller.enqueue({ type: "text-delta", id: "0", delta });
            controller.enqueue({ type: "text-end", id: "0" });
            if (turn !== undefined)
              controller.enqueue({ type: "tool-call", toolCallId: turn.callId, toolName, input: turn.input });
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
      throw new Error("Expected a streamed request.");
    },
  };
}

/** The scripted model with the type that the runtime wants. */
export function runtimeModel(conversation: Conversation, meter: Meter): Model {
  return scriptedModel(conversation, meter) as unknown as Model; // it has every field that the runtime uses
}

function finishReason(hasCall: boolean): unknown {
  return hasCall ? { unified: "tool-calls", raw: "tool_calls" } : { unified: "stop", raw: "stop" };
}

function usage(inputTokens: number): unknown {
  return {
    inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
  };
}
