import type { RecordedCall, RecordedStatus, RecordedStep } from "../trajectory/recorded-run.ts";
import { clipText, clipValue } from "./clip.ts";

/** A reply of the model. */
export type Reply = Omit<RecordedStep, "turn" | "calls" | "text"> & { readonly text?: string };

/** A call of the newest reply. The id connects it with its result. */
export interface MadeCall extends Pick<RecordedCall, "name" | "args" | "at" | "child" | "position"> {
  readonly id: string;
}

/** The result of a call. */
export interface CallResult extends Pick<RecordedCall, "result"> {
  readonly isError?: boolean | null;
  readonly status?: RecordedStatus;
  readonly child?: string;
}

/** Collects the steps of a run in the order of the recording. Long texts are clipped. */
export interface StepList {
  /** Begins a step. */
  reply(reply: Reply): void;
  /** Changes the newest step: a later entry about the same reply. Text is added to what there is. */
  amend(more: Partial<Reply>): void;
  /** Adds a call to the newest step; begins one if there is none. An id that is known already changes nothing. */
  call(call: MadeCall): void;
  /** Returns false if no call has this id. A second result for a call replaces the first. */
  result(id: string, result: CallResult): boolean;
  /** Says which subagent a call has started; ignored if no call has this id. */
  setChild(id: string, child: string): void;
  readonly isEmpty: boolean;
  /** The steps. Calls without a result were interrupted. */
  steps(): readonly RecordedStep[];
}

type DraftCall = { -readonly [K in keyof RecordedCall]: RecordedCall[K] } & { hasResult: boolean };

interface DraftStep {
  reply: Reply;
  readonly texts: string[];
  readonly calls: DraftCall[];
}

/** Creates an empty list. */
export function createStepList(): StepList {
  const drafts: DraftStep[] = [];
  const callsById = new Map<string, DraftCall>();

  function begin(reply: Reply): DraftStep {
    const draft: DraftStep = { reply, texts: [], calls: [] };
    drafts.push(draft);
    if (reply.text) draft.texts.push(clipText(reply.text));
    return draft;
  }

  return {
    reply(reply) {
      begin(reply);
    },
    amend(more) {
      const draft = drafts.at(-1);
      if (draft === undefined) return void begin(more);
      if (more.text) draft.texts.push(clipText(more.text));
      draft.reply = { ...draft.reply, ...more };
    },
    call({ id, args, ...rest }) {
      if (callsById.has(id)) return;
      const draft = drafts.at(-1) ?? begin({});
      const call: DraftCall = { ...rest, args: clipValue(args ?? null), result: null, isError: null, hasResult: false };
      callsById.set(id, call);
      draft.calls.push(call);
    },
    result(id, { result, isError = null, ...rest }) {
      const call = callsById.get(id);
      if (call === undefined) return false;
      Object.assign(call, { result: clipValue(result ?? null), isError, hasResult: true }, rest);
      return true;
    },
    setChild(id, child) {
      const call = callsById.get(id);
      if (call !== undefined) call.child = child;
    },
    get isEmpty() {
      return drafts.length === 0;
    },
    steps: () =>
      drafts.map(({ reply: { text: _, ...reply }, texts, calls }, turn) => ({
        turn,
        ...reply,
        text: clipText(texts.join("\n")),
        calls: calls.map(finishedCall),
      })),
  };
}

function finishedCall({ hasResult, ...call }: DraftCall): RecordedCall {
  return hasResult ? call : { ...call, status: "interrupted" };
}
