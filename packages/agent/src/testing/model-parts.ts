import { JSONParseError, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { Interruption } from "./fault.ts";
import { brokenConnection } from "./model-errors.ts";
import { finishPart } from "./model-finish.ts";
import type { ContentStep, ReplyStep } from "./reply-steps.ts";
import type { ScriptedRequest, ScriptedTurn } from "./script.ts";
import { describeStatus } from "./status-messages.ts";
import { pause, type Sleep, waitForAbort, yieldToEventLoop } from "./wait.ts";

/** The turn, the request and the settings of a reply. */
export interface ReplyContext {
  readonly turn: ScriptedTurn;
  readonly request: ScriptedRequest;
  readonly modelId: string;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
}

type Part = LanguageModelV3StreamPart;

/** Converts the steps of a reply to stream parts. */
export async function* partsOf(steps: Iterable<ReplyStep>, context: ReplyContext): AsyncGenerator<Part> {
  yield { type: "stream-start", warnings: [] };
  if (context.turn.fault?.type === "html") return;
  for (const step of steps) {
    if (context.turn.fault?.type === "endless") await yieldToEventLoop();
    context.signal.throwIfAborted();
    if (step.type === "delta") await pause(context.turn.deltaDelayMs, context.sleep, context.signal);
    if (step.type === "interruption") return yield* interruption(step.fault, context.signal);
    yield* contentParts(step, context);
  }
}

async function* interruption(fault: Interruption, signal: AbortSignal): AsyncGenerator<Part> {
  switch (fault.type) {
    case "silence":
    case "pings":
      return await waitForAbort(signal);
    case "error": {
      const status = fault.status ?? 529;
      return yield {
        type: "error",
        error: {
          type: status === 529 ? "overloaded_error" : "api_error",
          message: fault.message ?? describeStatus(status),
          statusCode: status,
        },
      };
    }
    case "eof":
      return;
    case "cut":
      throw brokenConnection("UND_ERR_SOCKET");
    case "reset":
      throw brokenConnection("ECONNRESET");
    default:
      return fault satisfies never;
  }
}

function contentParts(step: ContentStep, context: ReplyContext): readonly Part[] {
  switch (step.type) {
    case "start":
      return [{ type: "response-metadata", id: `reply_${context.request.index}`, modelId: context.modelId }];
    case "open":
      return [openPart(step.block)];
    case "delta":
      return [deltaPart(step)];
    case "close":
      return closeParts(step.block);
    case "finish":
      return [finishPart(step)];
    default:
      return step satisfies never;
  }
}

type Block = Extract<ContentStep, { readonly type: "open" }>["block"];

function openPart(block: Block): Part {
  if (block.type === "call") return { type: "tool-input-start", id: block.id, toolName: block.tool };
  return { type: block.type === "text" ? "text-start" : "reasoning-start", id: String(block.index) };
}

function deltaPart(step: Extract<ContentStep, { readonly type: "delta" }>): Part {
  const { block, damage } = step;
  if (damage === "malformed" || damage === "doubled")
    return {
      type: "error",
      error: new JSONParseError({ text: step.text, cause: new SyntaxError("Unexpected end of JSON input") }),
    };
  const delta = damage === "bad-utf8" ? `${step.text}\ufffd\ufffd` : step.text;
  if (block.type === "call") return { type: "tool-input-delta", id: block.id, delta };
  return { type: block.type === "text" ? "text-delta" : "reasoning-delta", id: String(block.index), delta };
}

function closeParts(block: Block): readonly Part[] {
  const id = String(block.index);
  switch (block.type) {
    case "text":
      return [{ type: "text-end", id }];
    case "thinking": {
      const signed: readonly Part[] =
        block.signature === undefined
          ? []
          : [
              {
                type: "reasoning-delta",
                id,
                delta: "",
                providerMetadata: { scripted: { signature: block.signature } },
              },
            ];
      return [...signed, { type: "reasoning-end", id }];
    }
    case "call":
      return [
        { type: "tool-input-end", id: block.id },
        { type: "tool-call", toolCallId: block.id, toolName: block.tool, input: block.text },
      ];
    default:
      return block satisfies never;
  }
}
