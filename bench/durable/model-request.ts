/** The calls and results in a request to a model. */
export interface ModelRequest {
  /** Calls without a result. */
  readonly unansweredCalls: number;
  /** The last result. */
  readonly lastResult: string | null;
}

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly output?: { readonly value: unknown };
}

/** Reads a prompt of the AI SDK's specification. */
export function readPrompt(prompt: unknown): ModelRequest {
  const messages = prompt as readonly { readonly content: string | readonly Part[] }[]; // as specified
  const parts = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const results = parts.filter(({ type }) => type === "tool-result");
  const answered = new Set(results.map(({ toolCallId }) => toolCallId));
  const calls = parts.filter(({ type }) => type === "tool-call");
  return {
    unansweredCalls: calls.filter(({ toolCallId }) => !answered.has(toolCallId)).length,
    lastResult: textOf(results.at(-1)?.output?.value),
  };
}

interface LangchainMessage {
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
  readonly content: unknown;
}

/** Reads messages of LangChain. */
export function readLangchainMessages(prompt: unknown): ModelRequest {
  const messages = prompt as readonly LangchainMessage[]; // the argument of LangChain's own chat models
  const results = messages.filter(({ tool_call_id }) => tool_call_id !== undefined);
  const answered = new Set(results.map(({ tool_call_id }) => tool_call_id));
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  return {
    unansweredCalls: calls.filter(({ id }) => !answered.has(id)).length,
    lastResult: textOf(results.at(-1)?.content),
  };
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
