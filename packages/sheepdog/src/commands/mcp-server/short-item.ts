import type { Item } from "@sheepdog/agent/timeline";

const maxChars = 600;

/** A step of a run for another agent. */
export interface ShortItem {
  readonly seq: number;
  readonly type: Item["type"];
  readonly text?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly status?: string;
  readonly result?: string;
  readonly level?: string;
  readonly message?: string;
  readonly verdict?: string;
  readonly advice?: string;
  readonly state?: string;
  readonly reason?: string;
}

/** An item of a timeline for another agent, in one short object; undefined for what it need not know. */
export function shortItem(item: Item): ShortItem | undefined {
  const { seq, type } = item;
  switch (item.type) {
    case "prompt":
    case "text":
    case "note":
    case "plan":
      return { seq, type, text: short(item.text) };
    case "thinking":
      return undefined;
    case "call":
      return {
        seq,
        type,
        tool: item.tool,
        input: short(JSON.stringify(item.input ?? null)),
        status: item.status ?? "running",
        result: short(item.content ?? ""),
      };
    case "guardian":
      return { seq, type, level: item.intervention.level, message: short(item.intervention.message) };
    case "recovered":
      return { seq, type };
    case "opinion":
      return { seq, type, verdict: item.verdict, advice: short(item.advice ?? "") };
    case "verdict":
      return { seq, type, verdict: short(JSON.stringify(item.verdict)) };
    case "goal":
      return { seq, type };
    case "end":
      return {
        seq,
        type,
        state: item.result.state,
        reason: item.result.reason,
        text: item.result.text.slice(0, 20_000),
      };
    default:
      return item satisfies never;
  }
}

function short(text: string): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text;
}
