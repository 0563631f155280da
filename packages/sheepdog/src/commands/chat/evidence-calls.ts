import type { Message } from "@sheepdog/agent";
import type { CallItem } from "@sheepdog/agent/timeline";
import type { Intervention } from "@sheepdog/guardian";
import { describeCall } from "../../render/terminal/describe-call.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { EvidenceCall } from "./state/chat-state.ts";

type CallRecord = Pick<CallItem, "callId" | "tool" | "input" | "status" | "content">;

/** The calls in the evidence, which holds indexes into the saved calls followed by the calls shown since. */
export function evidenceCalls(
  { evidence }: Intervention,
  messages: readonly Message[],
  shownCalls: readonly CallItem[],
): readonly EvidenceCall[] {
  const saved = savedCalls(messages);
  const savedIds = new Set(saved.map(({ callId }) => callId));
  const calls = [...saved, ...shownCalls.filter(({ callId }) => !savedIds.has(callId))];
  return evidence.flatMap((index) => {
    const call = calls[index];
    return call === undefined
      ? []
      : [{ call: describeCall({ name: call.tool, args: call.input }), outcome: outcomeText(call) }];
  });
}

function savedCalls(messages: readonly Message[]): readonly CallRecord[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.callId, message] as const] : [])),
  );
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.parts.flatMap((part) => {
      if (part.type !== "call") return [];
      const { status, content } = results.get(part.id) ?? {};
      return [
        {
          callId: part.id,
          tool: part.tool,
          input: part.input,
          ...(status === undefined ? {} : { status }),
          ...(content === undefined ? {} : { content }),
        },
      ];
    });
  });
}

function outcomeText({ status = "running", content = "" }: CallRecord): string {
  const firstLine = content.split("\n").find((line) => line.trim() !== "") ?? "";
  return plainText(`${status}: ${firstLine.slice(0, 400)}`);
}
