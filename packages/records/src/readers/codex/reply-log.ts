import { sha256 } from "../../platform/sha256.ts";
import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { addUsage } from "../add-usage.ts";
import { createPersonMessages } from "../person-messages.ts";
import { createStepList, type Reply, type StepList } from "../step-list.ts";
import type { RequestTokens } from "./token-counts.ts";

/** The first item of a reply. */
interface ReplyStart extends Pick<Reply, "model" | "at" | "position"> {
  /** Identifies the item: the id of the call, or else of the item, or its content. */
  readonly key: string;
  /** The thread in which the item was recorded first; a forked recording begins with items of another one. */
  readonly thread: string;
}

/** Divides the items of a recording into replies, since codex does not record where a model request ends. */
export interface ReplyLog {
  readonly steps: StepList;
  readonly stepCount: number;
  /** What identifies the first item of a step in all files. */
  copyKey(step: number): string | undefined;
  /** To be called for each item of a reply: text, reasoning or call. */
  item(start: ReplyStart): void;
  /** To be called for the output of a call, which ends the reply. */
  output(): void;
  /** A message of a person, or of a program, begins a turn. */
  turn(text: string, isFromPerson: boolean): void;
  compacted(): void;
  tokens(tokens: RequestTokens): void;
  /** To be called after the last line. */
  end(): void;
}

/** Creates an empty log. */
export function createReplyLog(): ReplyLog {
  const steps = createStepList();
  const prompts = createPersonMessages();
  let stepCount = 0;
  const starts: ReplyStart[] = [];
  /** The newest reply, as long as it can get tokens. */
  let newest: { readonly start: ReplyStart; usage: RecordedUsage | undefined } | undefined;
  let isOpen = false;
  let isInTurn = false; // whether the turn has a reply
  /**
   * Whether the tokens of a request are recorded before its items, as the versions of 2025 did, and not after them.
   * The first tokens of a turn tell it.
   */
  let areTokensFirst = false;
  let waiting: RequestTokens | undefined; // tokens for the next reply
  let marks: { readonly assigned?: true; readonly compacted?: true } = {};

  function begin(start: ReplyStart): void {
    const { key: _, thread: __, ...reply } = start;
    steps.reply({ ...reply, ...prompts.take(), ...marks });
    stepCount++;
    starts.push(start);
    marks = {};
    newest = { start, usage: undefined };
    isOpen = true;
    isInTurn = true;
    if (waiting === undefined) areTokensFirst = false;
    else assign(waiting);
    waiting = undefined;
  }

  /** Tokens without a reply of their own, as of a compaction, are added to those of the newest one. */
  function assignWaiting(): void {
    if (waiting === undefined || newest === undefined) return;
    assign(waiting);
    waiting = undefined;
  }

  function assign({ usage, total }: RequestTokens): void {
    if (newest === undefined) return;
    const { key, thread } = newest.start;
    const request = newest.usage?.request ?? digestOf([thread, key, total]);
    const all = newest.usage === undefined ? usage : addUsage(newest.usage, usage);
    newest.usage = { ...all, request };
    steps.amend({ usage: newest.usage });
  }

  return {
    steps,
    get stepCount() {
      return stepCount;
    },
    copyKey(step) {
      const start = starts[step];
      return start === undefined ? undefined : digestOf([start.thread, start.key]);
    },
    item(start) {
      if (!isOpen) begin(start);
    },
    output() {
      if (!areTokensFirst) isOpen = false;
    },
    turn(text, isFromPerson) {
      if (isFromPerson) prompts.add(text);
      else marks = { ...marks, assigned: true };
      assignWaiting();
      isOpen = false;
      isInTurn = false;
    },
    compacted() {
      marks = { ...marks, compacted: true };
      isOpen = false;
    },
    tokens(tokens) {
      isOpen = false;
      if (!isInTurn) areTokensFirst = true;
      if (!areTokensFirst && newest !== undefined) assign(tokens);
      else waiting = waiting === undefined ? tokens : { ...tokens, usage: addUsage(waiting.usage, tokens.usage) };
    },
    end: assignWaiting,
  };
}

function digestOf(parts: readonly string[]): string {
  return `codex:${sha256.of(JSON.stringify(parts)).slice(0, 32)}`;
}
