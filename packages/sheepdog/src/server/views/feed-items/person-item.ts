import type { EventOf } from "../../../saved-runs/trace/run-trace.ts";
import { callText } from "../../../sentences/call-text.ts";
import { firstSentence } from "../../../sentences/first-sentence.ts";
import { limitAmount } from "../../../sentences/outcome-sentence.ts";
import { code, say } from "../../../sentences/say.ts";
import type { ItemContext, ItemDraft } from "./item-draft.ts";

/** The user's answer to a question about the run. */
export function answerItem({ answer, text = "" }: EventOf<"QuestionAnswered">): ItemDraft {
  const sentence = {
    stop: say`You stopped it`,
    continue: say`You let it continue`,
    tell: say`You told it: ${firstSentence(text, 160)}`,
    none: say`Nobody answered in time, so the guardian decided`,
  }[answer];
  return { kind: "person", sentence: sentence ?? say`You answered`, group: "guardian" };
}

/** A call that waits for the user. */
export function approvalItem({ tool, input, reason }: EventOf<"ApprovalRequested">): ItemDraft {
  return {
    kind: "approval",
    sentence: say`Waits for approval of ${code(callText({ tool, input }))}`,
    detail: say`${reason}`,
  };
}

/** The user's answer about a call. A refusal without a user is the gate's. */
export function approvedItem(
  { callId, isAllowed, reason }: EventOf<"ApprovalResolved">,
  { data }: ItemContext,
): ItemDraft {
  const asked = data.trace.approvals.findLast(({ event }) => event.callId === callId)?.event;
  const call = asked === undefined ? say`a call` : say`${code(callText(asked))}`;
  const sentence = isAllowed ? say`You approved ${call}` : say`Not approved: ${call}`;
  return { kind: "person", sentence, detail: reason === undefined ? [] : say`${reason}` };
}

/** What was learned from a refusal or from harm. */
export function lessonItem({ rule }: EventOf<"LessonLearned">): ItemDraft {
  const detail = say`To take it back: ${code("sheepdog memory safety remove last")}`;
  return { kind: "person", sentence: say`Learned: ${rule}`, detail };
}

/** A message of the user to a running run. */
export function messageItem(text: string): ItemDraft {
  return { kind: "person", sentence: say`You said: ${firstSentence(text, 160)}` };
}

/** A mute that is set or lifted. The one after the answer "continue" is told by the answer. */
export function muteItem(event: EventOf<"GuardianMuted"> | EventOf<"GuardianUnmuted">): ItemDraft | undefined {
  const { detector, tool, episode, type } = event;
  if (type === "GuardianMuted" && episode !== undefined && detector === undefined) return undefined;
  const what = detector ?? "the guardian";
  const forTool = tool === undefined ? say`` : say` for ${code(tool)}`;
  const sentence =
    type === "GuardianMuted" ? say`You muted ${what}${forTool}` : say`You lifted the mute of ${what}${forTool}`;
  return { kind: "person", sentence, group: "guardian" };
}

/** Another limit. */
export function limitItem({ limit, stop = 0 }: EventOf<"LimitChanged">): ItemDraft {
  const name = limit.replaceAll("-", " ");
  const sentence =
    stop === 0
      ? say`You removed the limit of ${name}`
      : say`You set the limit of ${name} to ${limitAmount(limit, stop)}`;
  return { kind: "limit", sentence, group: "money" };
}
