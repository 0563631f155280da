import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";

/** Collects a streamed reply. Rejects with the first error in it, or when it ends without a finish. */
export async function collectReply(
  stream: ReadableStream<LanguageModelV3StreamPart>,
): Promise<LanguageModelV3GenerateResult> {
  const texts = new Map<string, { type: "text" | "reasoning"; text: string }>();
  const content: LanguageModelV3Content[] = [];
  for await (const part of stream) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const block = { type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const), text: "" };
        texts.set(part.id, block);
        content.push(block);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const block = texts.get(part.id);
        if (block !== undefined) block.text += part.delta;
        break;
      }
      case "tool-call":
        content.push(part);
        break;
      case "error":
        throw part.error;
      case "finish":
        return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] };
      default:
    }
  }
  throw new Error("The reply ended without a finish.");
}
