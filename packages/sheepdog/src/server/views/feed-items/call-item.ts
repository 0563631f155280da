import { duration } from "@sheepdog/agent/timeline";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { withoutOutsideTag } from "../../../render/timeline/outside-tag.ts";
import type { EventOf, TraceCall } from "../../../saved-runs/trace/run-trace.ts";
import { callText, commandOf, pathOf, textField } from "../../../sentences/call-text.ts";
import { firstSentence } from "../../../sentences/first-sentence.ts";
import { code, say } from "../../../sentences/say.ts";
import { shortened } from "../../../sentences/shortened.ts";
import { recordedChange } from "../wire-event-diff.ts";
import type { ItemContext, ItemDraft } from "./item-draft.ts";

/** A call that ended: changes of files, commands, and everything that failed. Equal ones in a row are told once. */
export function callItem(event: EventOf<"ToolEnd">, context: ItemContext): ItemDraft | undefined {
  const call = context.data.trace.calls.get(event.callId);
  const { tool, status, content, ms, details } = event;
  const input = call?.input;
  if (tool === "ask_user") return answerItem(event);
  const isUnknown = status === "unknown";
  const isOk = status === "ok" || isUnknown;
  const path = recordedChange(details)?.path ?? (isEditing(call) ? pathOf(input) : undefined);
  const command = commandOf(input);
  if (isOk && path !== undefined) {
    const verb = /write|create/i.test(tool) ? "Wrote" : "Edited";
    return { kind: "edit", sentence: say`${verb} ${code(path)}` };
  }
  if (isOk && command === undefined) return undefined;
  const text = callText({ tool, input });
  const key = `${status} ${tool} ${JSON.stringify(input)}`;
  const isRepeated = context.lastCommand === key;
  context.lastCommand = key;
  if (isRepeated) return undefined;
  return {
    kind: "call",
    sentence: isOk ? say`Ran ${code(text)}` : say`${code(text)} failed`,
    detail: isOk ? [] : say`${lastLine(content)}`,
    status: isUnknown ? null : isOk ? "ok" : "failed",
    statusText: isUnknown ? null : isOk ? duration(typeof ms === "number" ? ms : 0) : status,
  };
}

/** A call that was refused and did not run. */
export function refusedItem(
  { tool, input, by, message, seq }: EventOf<"ToolBlocked">,
  context: ItemContext,
): ItemDraft | undefined {
  const { interventions } = context.data.trace;
  const isEnding = interventions.some(
    ({ intervention: { effect, isApplied }, seq: told }) => effect === "stop" && isApplied && told < seq,
  );
  if (by === "guardian" && isEnding) return undefined; // the end of the run says why
  const key = `refused ${by} ${tool} ${JSON.stringify(input)}`;
  const isRepeated = context.lastCommand === key;
  context.lastCommand = key;
  if (isRepeated) return undefined;
  const refusers = { guardian: "the guardian", gate: "the gate", guard: "a guard" } as const;
  return {
    kind: "call",
    sentence: say`Refused by ${refusers[by] ?? "a guard"}: ${code(callText({ tool, input }))}`,
    detail: by === "guardian" ? [] : firstSentence(message, 200),
    status: "failed",
    statusText: "refused",
    group: by === "guardian" ? "guardian" : "other",
  };
}

/** A question of the agent to the user. */
export function askItem({ tool, input }: EventOf<"ToolStart">): ItemDraft | undefined {
  if (tool !== "ask_user") return undefined;
  return { kind: "question", sentence: say`Asks you: ${firstSentence(textField(input, ["question"]) ?? "", 160)}` };
}

/** Undefined if the user was not asked, or if the run ended before the answer: its end says so. */
function answerItem({ status, content }: EventOf<"ToolEnd">): ItemDraft | undefined {
  const answer = content.replace(/^The user answered: /, "");
  if (status === "invalid-arguments" || status === "interrupted") return undefined;
  if (status !== "ok") return { kind: "person", sentence: say`The question of the agent got no answer` };
  return { kind: "person", sentence: say`You answered: ${firstSentence(answer, 160)}` };
}

function isEditing(call: TraceCall | undefined): boolean {
  return call?.kind === "mutate" || /edit|write|patch|create/i.test(call?.tool ?? "");
}

/** The last line with text: most programs end with what went wrong. */
function lastLine(content: string): string {
  const all = withoutOutsideTag(content)
    .slice(-4_000)
    .split("\n")
    .map(plainText)
    .filter((line) => line !== "");
  const lines = all.filter((line) => !/^\[?(?:process )?exit(?:ed)?(?: with)?(?: code| status)?:? \d+\]?$/i.test(line));
  const error = lines.findLast((line) => /error|fail|cannot|not found|denied|exception/i.test(line));
  return shortened(error ?? lines.at(-1) ?? all.at(-1) ?? "", 200);
}
