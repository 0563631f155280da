import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from "@ai-sdk/provider";
import { collectReply } from "./collect-reply.ts";
import { refusalOf, scriptError } from "./model-errors.ts";
import { partsOf } from "./model-parts.ts";
import { replySteps } from "./reply-steps.ts";
import type { AfterLast, Script, ScriptedRequest, ScriptedTurn, TurnFor } from "./script.ts";
import { createScriptPlayer } from "./script-player.ts";
import { type QuestionType, questionOf, usualAnswers } from "./side-question.ts";
import { pause, realSleep, type Sleep, waitForAbort } from "./wait.ts";

/** A request that the scripted model received. */
export interface ModelRequest extends ScriptedRequest {
  readonly prompt: LanguageModelV3CallOptions["prompt"];
  readonly tools: NonNullable<LanguageModelV3CallOptions["tools"]>;
  readonly options: LanguageModelV3CallOptions;
}

/** A model that replies by a script and records its requests. */
export interface ScriptedModel extends LanguageModelV3 {
  /** Without questions for a second opinion and questions of a judge. */
  readonly requests: readonly ModelRequest[];
  /** The questions for a second opinion, which take no turn of the script. */
  readonly opinionRequests: readonly ModelRequest[];
  /** The questions of a judge, which take no turn of the script. */
  readonly judgeRequests: readonly ModelRequest[];
}

/** The names of the scripted model, and defaults for its turns. */
export interface ScriptedModelOptions {
  readonly provider?: string;
  readonly modelId?: string;
  /** Characters per delta; default 12. */
  readonly deltaChars?: number;
  /** The turn for requests after the last turn; default: an error. */
  readonly afterLast?: AfterLast<ModelRequest>;
  /** The answer to questions for a second opinion; default: `unsure`. */
  readonly opinion?: TurnFor<ModelRequest>;
  /** The answer to questions of a judge; default: `accept`. */
  readonly judge?: TurnFor<ModelRequest>;
  readonly sleep?: Sleep;
}

/** A language model that answers each request with the next turn of a script, faults included. */
export function scriptedModel(script: Script<ModelRequest>, options: ScriptedModelOptions = {}): ScriptedModel {
  const { provider = "scripted", modelId = "scripted", deltaChars, afterLast = "error", sleep = realSleep } = options;
  const turnFor = createScriptPlayer(script, afterLast);
  const answers = {
    opinion: createScriptPlayer([], options.opinion ?? usualAnswers.opinion),
    judge: createScriptPlayer([], options.judge ?? usualAnswers.judge),
  };
  const requests: ModelRequest[] = [];
  const questions: Readonly<Record<QuestionType, ModelRequest[]>> = { opinion: [], judge: [] };

  const doStream = async (call: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> => {
    call.abortSignal?.throwIfAborted();
    const prompt = [...call.prompt];
    const text = JSON.stringify(prompt);
    const question = questionOf(text, { requests, scripted: options });
    const received = question === undefined ? requests : questions[question];
    const request: ModelRequest = { index: received.length, text, prompt, tools: call.tools ?? [], options: call };
    received.push(request);
    const cancelled = new AbortController();
    const signals = call.abortSignal === undefined ? [] : [call.abortSignal];
    const signal = AbortSignal.any([...signals, cancelled.signal]);
    const turn = await (question === undefined ? turnFor : answers[question])(request).catch(scriptError);
    await pause(turn.delayMs, sleep, signal);
    await refuse(turn, signal);
    const parts = partsOf(replySteps(turn, request, deltaChars), { turn, request, modelId, sleep, signal });
    return { stream: readable(parts, cancelled) };
  };

  return {
    specificationVersion: "v3",
    provider,
    modelId,
    supportedUrls: {},
    requests,
    opinionRequests: questions.opinion,
    judgeRequests: questions.judge,
    doStream,
    doGenerate: async (call) => collectReply((await doStream(call)).stream),
  };
}

async function refuse(turn: ScriptedTurn, signal: AbortSignal): Promise<void> {
  if (turn.fault === undefined) return;
  if (turn.fault.type === "no-answer") await waitForAbort(signal);
  const error = refusalOf(turn.fault);
  if (error !== undefined) throw error;
}

/** Creates each part when it is read, so that an endless reply needs no memory. */
function readable(
  parts: AsyncIterator<LanguageModelV3StreamPart>,
  cancelled: AbortController,
): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream<LanguageModelV3StreamPart>(
    {
      // What the iterator throws errors the stream.
      async pull(controller) {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel() {
        cancelled.abort();
      },
    },
    { highWaterMark: 0 },
  );
}
