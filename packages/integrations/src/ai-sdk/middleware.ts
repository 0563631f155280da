import type { LanguageModelMiddleware } from "ai";
import type { RequestUsage } from "../guard/guard-options.ts";

/** The usage that a provider reports: one number a field, or in specifications 3 and 4 an object. */
interface ProviderUsage {
  readonly inputTokens?: number | undefined | TokenCounts;
  readonly outputTokens?: number | undefined | TokenCounts;
}

interface TokenCounts {
  readonly total?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

export interface MiddlewareParts {
  /** The prompt with the guardian's notices; undefined if it has all of them. */
  addNotices<Message>(prompt: readonly Message[]): Message[] | undefined;
  onUsage(usage: RequestUsage): void;
}

/** The guard as a middleware for models, for `wrapLanguageModel` of versions 6 and 7. */
export function createMiddleware({ addNotices, onUsage }: MiddlewareParts): LanguageModelMiddleware {
  const report = (model: string, usage: ProviderUsage) => onUsage(requestUsage(model, usage));
  return {
    specificationVersion: "v3", // version 7 has "v4" in its types; neither reads it
    async transformParams({ params }) {
      const prompt = addNotices(params.prompt);
      return prompt === undefined ? params : { ...params, prompt };
    },
    async wrapGenerate({ doGenerate, model }) {
      const result = await doGenerate();
      report(model.modelId, result.usage);
      return result;
    },
    async wrapStream({ doStream, model }) {
      const { stream, ...rest } = await doStream();
      const watch = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          if (part.type === "finish") report(model.modelId, part.usage);
          controller.enqueue(part);
        },
      });
      return { stream: stream.pipeThrough(watch), ...rest };
    },
  };
}

type StreamResult = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapStream"]>>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

function requestUsage(model: string, { inputTokens, outputTokens }: ProviderUsage): RequestUsage {
  const input = tokenCounts(inputTokens);
  return {
    model,
    inputTokens: input.total ?? 0,
    outputTokens: tokenCounts(outputTokens).total ?? 0,
    cacheReadTokens: input.cacheRead,
    cacheWriteTokens: input.cacheWrite,
  };
}

function tokenCounts(tokens: number | undefined | TokenCounts): TokenCounts {
  return typeof tokens === "object" ? tokens : { total: tokens };
}
