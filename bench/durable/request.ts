/** What a model was asked, as far as calls go. */
export interface Request {
  /** Calls that have no result. */
  readonly dangling: number;
  /** The result of the last call that has one. */
  readonly told: string | null;
}

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly output?: { readonly value: unknown };
}

/** Reads a prompt of the AI SDK's specification. */
export function requestOfPrompt(prompt: unknown): Request {
  const messages = prompt as readonly { readonly role: string; readonly content: string | readonly Part[] }[]; // as specified
  const parts = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const results = parts.filter(({ type }) => type === "tool-result");
  const answered = new Set(results.map(({ toolCallId }) => toolCallId));
  const calls = parts.filter(({ type }) => type === "tool-call");
  return {
    dangling: calls.filter(({ toolCallId }) => !answered.has(toolCallId)).length,
    told: textOf(results.at(-1)?.output?.value),
  };
}

interface LangchainMessage {
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
  readonly content: unknown;
}

/** Reads messages of LangChain. */
export function requestOfLangchain(prompt: unknown): Request {
  const messages = prompt as readonly LangchainMessage[]; // what a chat model of its own kind is given
  const results = messages.filter(({ tool_call_id }) => tool_call_id !== undefined);
  const answered = new Set(results.map(({ tool_call_id }) => tool_call_id));
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  return { dangling: calls.filter(({ id }) => !answered.has(id)).length, told: textOf(results.at(-1)?.content) };
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
