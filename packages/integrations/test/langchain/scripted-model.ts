import { AIMessage, type BaseMessage, fakeModel } from "langchain";

interface ScriptedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** The calls of a reply, or its text. */
export type Reply = readonly ScriptedCall[] | string;

export type ScriptedModel = ReturnType<typeof fakeModel>;

/** A chat model that makes these replies; each uses 100 tokens. */
export function scriptedModel(replies: readonly Reply[]): ScriptedModel {
  const model = fakeModel();
  for (const reply of replies) model.respond(messageOf(reply));
  return model;
}

let callCount = 0;

function messageOf(reply: Reply): AIMessage {
  // An object of no type: the declared type of usage depends on the structure of messages, and is undefined here.
  const used: object = { usage_metadata: { input_tokens: 90, output_tokens: 10, total_tokens: 100 } };
  if (typeof reply === "string") return new AIMessage({ content: reply, ...used });
  const tool_calls = reply.map((call) => ({ ...call, id: `c${callCount++}`, type: "tool_call" as const }));
  return new AIMessage({ content: "", tool_calls, ...used });
}

/** The texts of the notices in each prompt. */
export function noticesIn(model: ScriptedModel): string[][] {
  return model.calls.map(({ messages }) => noticesOf(messages));
}

export function noticesOf(messages: readonly BaseMessage[]): string[] {
  return messages.map(({ text }) => text).filter((text) => text.startsWith("<sheepdog-notice "));
}

export const failingCall: readonly ScriptedCall[] = [{ name: "bash", args: { command: "npm test" } }];

/** The same failing call, again and again. */
export function loop(turns: number): Reply[] {
  return Array.from({ length: turns }, () => failingCall);
}

/** A build that is looked at until it is done. */
export function polling(turns: number): Reply[] {
  const look: Reply = [{ name: "build_status", args: { id: 7 } }];
  return [...Array.from({ length: turns }, () => look), "The build is done."];
}
