import type { WireEvent } from "../../../contract/index.ts";

/** A time in which the run waited for the user; `to` is null while it waits. */
export interface Wait {
  readonly from: number;
  readonly to: number | null;
}

/** The times in which a run waited for an answer: to a question, an approval, or a question of the agent. */
export function waitsIn(events: readonly WireEvent[]): readonly Wait[] {
  const open = new Map<string, number>();
  const waits: Wait[] = [];
  const end = (id: string, at: number) => {
    const from = open.get(id);
    if (from !== undefined) waits.push({ from, to: at });
    open.delete(id);
  };
  for (const event of events) {
    const { at } = event;
    if (event.type === "QuestionAsked") open.set(event.question.id, at);
    else if (event.type === "QuestionAnswered") end(event.questionId, at);
    else if (event.type === "ApprovalRequested") open.set(event.callId, at);
    else if (event.type === "ApprovalResolved") end(event.callId, at);
    else if (event.type === "ToolStart" && event.tool === "ask_user") open.set(event.callId, at);
    else if (event.type === "ToolEnd") end(event.callId, at);
    else if (event.type === "RunComplete" || event.type === "RunError") for (const id of [...open.keys()]) end(id, at);
  }
  return [...waits, ...[...open.values()].map((from) => ({ from, to: null }))].sort((a, b) => a.from - b.from);
}
