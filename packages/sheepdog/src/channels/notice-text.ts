import type { NoticeKind } from "../config/channel-keys.ts";
import { nanoUsdText } from "../sentences/amount-text.ts";
import { type Action, actionsFor } from "./answers/actions.ts";
import type { Notice } from "./notice.ts";

/** A line of a message. Code is shown as it is: commands that people read exactly, or copy. */
export interface Line {
  readonly text: string;
  readonly isCode?: true;
  /** Left out first where a message is too long. */
  readonly isDetail?: true;
}

/** A message without the markup of any vendor. */
export interface MessageText {
  readonly title: string;
  readonly lines: readonly Line[];
}

const titles: Readonly<Record<NoticeKind, string>> = {
  start: "Run started",
  hint: "Hint",
  budget: "Budget",
  approval: "Approval wanted",
  question: "Question",
  halt: "Run halted",
  end: "Run ended",
};

/** What a notice says: the title, what happened, what it cost, and what to do next. */
export function noticeText(notice: Notice, actions: readonly Action[] = []): MessageText {
  const { kind, run, sentence, code, details, command, costNanoUsd } = notice;
  const title = notice.isTest === true ? "Test · sheepdog" : `${titles[kind]} · ${run.project}`;
  return {
    title,
    lines: [
      { text: sentence },
      ...(code === undefined ? [] : [{ text: code, isCode: true } as const]),
      ...details.map((text) => ({ text, isDetail: true }) as const),
      ...(kind === "end" || kind === "start" ? [] : [{ text: `Task: ${run.task}` }]),
      ...(costNanoUsd === undefined ? [] : [{ text: costText(costNanoUsd, kind) }]),
      ...(actions.length === 0 ? [] : [{ text: replyHelp(notice) }]),
      ...(command === undefined ? [] : [{ text: command, isCode: true } as const]),
    ],
  };
}

/** The message as plain text. */
export function plainMessage({ title, lines }: MessageText): string {
  return [title, ...lines.map(({ text }) => text)].join("\n");
}

/** The buttons of a message; none if nobody may answer. */
export function messageActions({ topic }: Notice, requestId: string | undefined): readonly Action[] {
  return topic === undefined || requestId === undefined ? [] : actionsFor(topic);
}

function costText(costNanoUsd: number | null, kind: NoticeKind): string {
  if (costNanoUsd === null) return "Cost: unknown, the model has no price.";
  return kind === "end" || kind === "halt" ? `Cost: ${nanoUsdText(costNanoUsd)}` : `${nanoUsdText(costNanoUsd)} so far`;
}

function replyHelp({ topic }: Notice): string {
  switch (topic?.type) {
    case "approval":
      return "Or reply: yes, no and a reason, stop, tell and a message.";
    case "question":
      return "Or reply: continue, stop, or a message for the agent.";
    case "reply":
      return "Reply with your answer, or stop.";
    default:
      return "Or reply: stop, raise and an amount, or a message for the agent.";
  }
}
