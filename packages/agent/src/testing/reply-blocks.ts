import type { ScriptedCall, ScriptedRequest, ScriptedTurn } from "./script.ts";

/** A block of a reply, with its complete text. */
export type ReplyBlock =
  | { readonly type: "thinking"; readonly index: number; readonly text: string; readonly signature: string | undefined }
  | { readonly type: "text"; readonly index: number; readonly text: string; readonly isRefusal: boolean }
  | CallBlock;

/** A call; its text holds the arguments. `number` counts the calls of the reply from 0. */
export interface CallBlock {
  readonly type: "call";
  readonly index: number;
  readonly number: number;
  readonly tool: string;
  readonly text: string;
  readonly id: string;
  /** The script sets the id. */
  readonly hasGivenId: boolean;
}

/** The blocks of a turn in order: thinking, text, calls. */
export function replyBlocks(turn: ScriptedTurn, request: ScriptedRequest): readonly ReplyBlock[] {
  const endless = turn.fault?.type === "endless" ? (turn.fault.of ?? "text") : undefined;
  const thinking = turn.thinking ?? (endless === "thinking" ? "" : undefined);
  const text = turn.text ?? (endless === "text" ? "" : undefined);
  const blocks: ReplyBlock[] = [];
  if (thinking !== undefined) blocks.push({ type: "thinking", index: 0, text: thinking, signature: turn.signature });
  if (text !== undefined) blocks.push({ type: "text", index: blocks.length, text, isRefusal: turn.stop === "refused" });
  const firstCallIndex = blocks.length;
  return [
    ...blocks,
    ...(turn.calls ?? []).map((call, number) => callBlock(call, { request, index: firstCallIndex + number, number })),
  ];
}

function callBlock(
  call: ScriptedCall,
  position: { readonly request: ScriptedRequest; readonly index: number; readonly number: number },
): CallBlock {
  return {
    type: "call",
    index: position.index,
    number: position.number,
    tool: call.tool,
    text: call.inputText ?? JSON.stringify(call.input ?? {}),
    id: call.id ?? `call_${position.request.index}_${position.number}`,
    hasGivenId: call.id !== undefined,
  };
}
