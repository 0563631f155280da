import type { Clock } from "../protocol/clock.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { Message, ReplyPart } from "../protocol/messages.ts";
import type { AttemptOptions } from "./attempt.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { getText } from "./field-access.ts";
import type { Model } from "./model.ts";
import type { ModelRequest, PreparedRequest } from "./prepared-request.ts";

/** The events about an attempt. */
type RequestEvent = Extract<AgentEventBody, { readonly type: "RequestStarted" | "RequestEnded" }>;

export interface RequestReportOptions {
  /** Receives the start and the end of each attempt. */
  onRequest?(event: RequestEvent): void;
  /** Whether these events have the newest messages and the reply; default: false. */
  readonly hasRequestContent?: boolean;
}

interface ReportedRequest {
  readonly requestId: string;
  readonly model: Model;
  readonly attempt: number;
  readonly request: ModelRequest;
  readonly sent: PreparedRequest;
}

/** Reports an attempt from its start to its end. */
export interface RequestReport {
  /** To be called during the attempt. */
  readonly callbacks: Pick<AttemptOptions, "onWaiting" | "onResponse">;
  end(result: AttemptResult): void;
}

type Options = RequestReportOptions &
  Pick<AttemptOptions, "onWaiting" | "isStreamed"> & { readonly clock: Pick<Clock, "now"> };

export function createRequestReport(options: Options, reported: ReportedRequest): RequestReport {
  const { clock, onRequest, onWaiting, isStreamed = true, hasRequestContent = false } = options;
  const { requestId, model, attempt, request, sent } = reported;
  const ref = { requestId, model: model.modelId, provider: model.provider };
  const startedAt = clock.now();
  let firstPartAt: number | undefined;
  let responseId = "";
  let responseModel = "";
  onRequest?.({
    type: "RequestStarted",
    ...ref,
    attempt,
    isStreamed,
    maxOutputTokens: sent.maxOutputTokens,
    ...(hasRequestContent ? { system: request.system, messages: newestMessages(request.messages) } : {}),
  });
  return {
    callbacks: {
      onWaiting(reason) {
        if (reason === "stream") firstPartAt ??= clock.now();
        onWaiting(reason);
      },
      onResponse(part) {
        responseId = getText(part, "id");
        responseModel = getText(part, "modelId");
      },
    },
    end(result) {
      onRequest?.({
        type: "RequestEnded",
        ...ref,
        ms: Math.max(0, clock.now() - startedAt),
        ...(result.ok ? { stop: result.stop } : { failure: result.failure.kind, problem: result.failure.problem }),
        ...(result.usage === undefined ? {} : { usage: result.usage }),
        ...(firstPartAt === undefined ? {} : { firstPartMs: Math.max(0, firstPartAt - startedAt) }),
        ...(responseId === "" ? {} : { responseId }),
        ...(responseModel === "" ? {} : { responseModel }),
        ...(hasRequestContent && result.ok ? { parts: result.parts.map(withoutMetadata) } : {}),
      });
    },
  };
}

/** Larger contents would be copied and redacted with every request. */
const MAX_CONTENT_CHARS = 65_536;

/** The newest messages that are not too long together, at least one. */
function newestMessages(messages: readonly Message[]): readonly Message[] {
  let chars = 0;
  const first = messages.findLastIndex((message, index) => {
    chars += sizeOf(message);
    return chars > MAX_CONTENT_CHARS && index < messages.length - 1;
  });
  return messages.slice(first + 1).map(withoutSignatures);
}

function sizeOf(message: Message): number {
  switch (message.role) {
    case "user":
      return message.text.length;
    case "tool":
      return message.content.length;
    case "assistant":
      return message.parts.reduce((sum, part) => sum + partSize(part), 0);
    default:
      return message satisfies never;
  }
}

function partSize(part: ReplyPart): number {
  return part.type === "call" ? JSON.stringify(part.input ?? {}).length : part.text.length;
}

function withoutSignatures(message: Message): Message {
  return message.role === "assistant" ? { ...message, parts: message.parts.map(withoutMetadata) } : message;
}

/** Signatures of providers are long and tell a reader nothing. */
function withoutMetadata(part: ReplyPart): ReplyPart {
  if (part.type === "text") return part;
  const { providerMetadata: _signature, ...rest } = part;
  return rest;
}
