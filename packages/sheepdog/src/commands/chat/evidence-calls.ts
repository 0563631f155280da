import type { Message } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import { describeCall } from "../../render/terminal/describe-call.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { CallItem } from "../../render/timeline/item.ts";
import type { EvidenceCall } from "./state/chat-state.ts";

type Known = Pick<CallItem, "callId" | "tool" | "input" | "status" | "content">;

/** The calls that show what an intervention is about, oldest first: by their number among all calls of the session, those that are kept and those seen since. */
export function evidenceCalls(
  { evidence }: Intervention,
  messages: readonly Message[],
  seen: readonly CallItem[],
): readonly EvidenceCall[] {
  const kept = keptCalls(messages);
  const ids = new Set(kept.map(({ callId }) => callId));
  const all = [...kept, ...seen.filter(({ callId }) => !ids.has(callId))];
  return evidence.flatMap((index) => {
    const found = all[index];
    return found === undefined
      ? []
      : [{ call: describeCall({ name: found.tool, args: found.input }), outcome: outcomeOf(found) }];
  });
}

function keptCalls(messages: readonly Message[]): readonly Known[] {
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

function outcomeOf({ status = "goes on", content = "" }: Known): string {
  const first = content.split("\n").find((line) => line.trim() !== "") ?? "";
  return plainText(`${status}: ${first.slice(0, 400)}`);
}
