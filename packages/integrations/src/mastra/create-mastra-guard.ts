import type { RawResult } from "@sheepdog/guardian";
import type { GuardOptions } from "../guard/guard-options.ts";
import { type ItemForm, placeNotices, withNotices } from "../guard/placed-notice.ts";
import type { FinishedToolCall, LLMResponse, MastraGuard } from "./mastra-guard.ts";
import { type MastraRun, MastraRuns } from "./mastra-runs.ts";

/** The options of a guard for Mastra. States are restored with `restore`, as one guard serves many runs. */
export type MastraGuardOptions = Omit<GuardOptions, "state" | "run">;

/** Creates the guard of one agent. Wrong options throw; nothing that a model or a tool returns does. */
export function createMastraGuard(options: MastraGuardOptions = {}): MastraGuard {
  const runs = new MastraRuns(options);
  return {
    hooks: {
      beforeToolCall({ toolName, input, context }) {
        const call = runs.ofCall(context);
        const decision = call?.guard.beforeCall({ id: call.id, tool: toolName, args: input });
        if (decision === undefined || decision.allow) return undefined;
        call?.close();
        return { proceed: false, output: decision.message };
      },
      afterToolCall(finished) {
        const call = runs.ofCall(finished.context);
        call?.guard.afterCall(call.id, resultOf(finished));
        call?.close();
      },
    },
    processor: {
      id: "sheepdog",
      processInputStep(step) {
        const run = runs.ofStep(step);
        run.placed = placeNotices(run.guard, run.placed, run.newestCall);
        const { stop } = run.guard;
        return stop === undefined ? undefined : step.abort(stop.message, { metadata: stop });
      },
      // Added to what is sent, and not to the messages: those Mastra would move to the end and keep in its memory.
      processLLMRequest(request) {
        const { placed } = runs.ofStep(request);
        if (placed.length === 0) return undefined;
        return { prompt: withNotices(request.prompt, placed, promptForm) as typeof request.prompt }; // the same items
      },
      processLLMResponse(response) {
        const run = runs.ofStep(response);
        reportUsage(run, response);
        const calls = callIdsIn(response);
        if (!response.chunks.some(({ type }) => type === "tool-call")) run.guard.reply(textOf(response));
        const { byCall } = runs.of(response.requestContext ?? response.state);
        for (const id of calls) byCall.set(id, run);
        run.newestCall = calls.at(-1) ?? run.newestCall;
        return undefined;
      },
    },
    guardOf: (requestContext) => runs.of(requestContext).newest?.guard,
    restore(requestContext, state) {
      runs.of(requestContext).saved = state;
    },
  };
}

function resultOf({ output, error }: FinishedToolCall): RawResult {
  if (error !== undefined) return { status: "error", content: error instanceof Error ? error.message : error };
  // Mastra returns what is wrong with arguments.
  const isError = typeof output === "object" && output !== null && "error" in output && output.error === true;
  return { status: isError ? "error" : "ok", content: output };
}

function reportUsage({ guard }: MastraRun, { chunks, model }: LLMResponse): void {
  const finish = chunks.findLast(({ type }) => type === "finish")?.payload;
  const { usage } = ((finish as FinishPayload | undefined)?.output ?? {}) as { readonly usage?: Usage }; // of Mastra
  if (usage === undefined) return;
  guard.usage({
    model: "modelId" in model && typeof model.modelId === "string" ? model.modelId : undefined,
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cacheReadTokens: usage.cachedInputTokens,
  });
}

interface FinishPayload {
  readonly output?: object;
}

interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
}

/** The ids of the calls of a reply. A call without one is left out: no result can be told to belong to it. */
function callIdsIn({ chunks }: LLMResponse): readonly string[] {
  return chunks.flatMap(({ type, payload }) => {
    const { toolCallId } = (payload ?? {}) as { readonly toolCallId?: unknown }; // checked in the next line
    const hasId = type === "tool-call" && typeof toolCallId === "string" && toolCallId !== "";
    return hasId ? [toolCallId] : [];
  });
}

function textOf({ chunks }: LLMResponse): string {
  const deltas = chunks.filter(({ type }) => type === "text-delta");
  return deltas.map(({ payload }) => (payload as { readonly text?: string } | undefined)?.text ?? "").join("");
}

const promptForm: ItemForm<unknown> = {
  idsOf(message) {
    const { content } = (message ?? {}) as { readonly content?: unknown }; // checked in the next line
    if (!Array.isArray(content)) return [];
    return content.flatMap((part: { readonly type?: unknown; readonly toolCallId?: string } | null) =>
      part?.type === "tool-result" ? [part.toolCallId] : [],
    );
  },
  noticeItem: (text) => ({ role: "user", content: [{ type: "text", text }] }),
};
