import type { AuditEntry } from "@sheepdog/agent";
import { riskClassText, type Sentence, type Waiting, type WireDiffLine } from "@sheepdog/web/contract";
import { clockText } from "../../../render/clock-text.ts";
import type { DiffLine } from "../../../render/diff/diff-line.ts";
import { proposedDiff } from "../../../render/diff/proposed-diff.ts";
import type { TraceApproval } from "../../../saved-runs/trace/run-trace.ts";
import { callText, pathOf } from "../../../sentences/call-text.ts";
import { isShellCall, questionText } from "../../../sentences/question-text.ts";
import { code, say } from "../../../sentences/say.ts";
import type { ViewContext } from "../../view-context.ts";
import type { RunData } from "../run-data/run-data.ts";
import { type CardFrame, waitsForever } from "./card-frame.ts";

/** Lines of a proposed change. */
const MAX_DIFF_LINES = 400;
/** Earlier decisions that are searched for the same call. */
const MAX_EARLIER = 200;

interface ApprovalContext {
  readonly context: ViewContext;
  readonly data: RunData;
  readonly frame: CardFrame;
}

/** The card of a question whether a call may run. */
export async function approvalCard(
  { event, turn, answerBy }: TraceApproval,
  { context, data, frame }: ApprovalContext,
): Promise<Waiting> {
  const { callId, tool, input, reason, at } = event;
  const diff = await changeOf(event, data.summary.run.workspace ?? context.cwd);
  return {
    ...frame,
    kind: "approval",
    id: callId,
    turn,
    title: titleOf(event),
    level: null,
    since: at,
    answerBy: answerBy ?? null,
    command: diff === null ? questionText({ tool, input }) : null,
    diff,
    facts: [
      { name: "Why asked", value: say`${reason}` },
      ...gateFacts(callId, data),
      ...(await earlierFact(context, event)),
    ],
    otherwise:
      answerBy === undefined
        ? waitsForever
        : `Without an answer until ${clockText(answerBy)}, the call is refused and the run continues.`,
  };
}

function titleOf({ tool, input }: TraceApproval["event"]): Sentence {
  const path = pathOf(input);
  if (isShellCall({ tool, input })) return say`Run ${code(callText({ tool, input }))}?`;
  if (path !== undefined && /edit|write|patch|create/i.test(tool)) return say`Change ${code(path)}?`;
  return say`Call ${code(callText({ tool, input }))}?`;
}

/** The risk class in words, and what a model said. The reason has the principles already. */
function gateFacts(callId: string, { trace }: RunData): Waiting["facts"] {
  const decision = trace.decisions.get(callId);
  if (decision === undefined) return [];
  const { tier, reasoning } = decision;
  return [
    { name: "Risk class", value: say`${riskClassText(tier)}` },
    ...(reasoning === undefined ? [] : [{ name: "A model says", value: say`${reasoning.reason}` }]),
  ];
}

/** What the user answered about the same call before. */
async function earlierFact({ stores }: ViewContext, event: TraceApproval["event"]): Promise<Waiting["facts"]> {
  const { tool, callId, runId, at } = event;
  const asked = await stores.audit.list({ tool, decision: "ask", limit: MAX_EARLIER });
  const own = asked.find((entry) => entry.callId === callId && entry.runId === runId);
  const isAnswered = (entry: AuditEntry) =>
    entry.input === own?.input && entry.callId !== callId && entry.at < at && entry.approval !== undefined;
  const earlier = own === undefined ? undefined : asked.find(isAnswered);
  if (earlier?.approval === undefined || earlier.approval.isUnanswered === true) return [];
  const date = new Date(earlier.at).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return [
    { name: "Earlier", value: say`You ${earlier.approval.isAllowed ? "approved" : "denied"} the same call on ${date}` },
  ];
}

/** The change that an `edit` or a `write` would make to the file as it is now. */
async function changeOf({ tool, input }: TraceApproval["event"], workspace: string): Promise<Waiting["diff"]> {
  const path = pathOf(input);
  if (path === undefined || typeof input !== "object" || input === null) return null;
  const fields = input as Readonly<Record<string, unknown>>; // proposedDiff checks each field
  const proposed = await proposedDiff({ tool, input: fields }, workspace);
  if (proposed === undefined) return null;
  return { path, lines: numberedLines(proposed.lines).slice(0, MAX_DIFF_LINES) };
}

/** Adds the numbers of lines from the heads of the parts, and leaves those heads out. */
function numberedLines(lines: readonly DiffLine[]): WireDiffLine[] {
  let [oldNumber, newNumber] = [1, 1];
  return lines.flatMap(({ sign, text }): WireDiffLine[] => {
    const head = sign === "…" ? /^@@ -(\d+),\d+ \+(\d+),\d+ @@$/.exec(text) : null;
    if (head !== null) [oldNumber, newNumber] = [Number(head[1]), Number(head[2])];
    if (sign === "…") return [];
    if (sign === "-") return [{ sign, text, number: oldNumber++ }];
    if (sign === " ") oldNumber += 1;
    return [{ sign, text, number: newNumber++ }];
  });
}
