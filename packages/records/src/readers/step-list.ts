import type { RecordedCall, RecordedStatus, RecordedStep } from "../trajectory/recorded-run.ts";
import { clipText, clipValue } from "./clip.ts";

/** A reply of the model. */
export type Reply = Omit<RecordedStep, "turn" | "calls" | "text"> & { readonly text?: string };

/** A call of the newest reply. The id connects it with its result. */
export interface MadeCall extends Pick<RecordedCall, "name" | "args" | "kind" | "at" | "child" | "position"> {
  readonly id: string;
}

/** The result of a call. */
export interface CallResult extends Pick<RecordedCall, "result" | "isResultUnknown" | "endedAt"> {
  readonly isError?: boolean | null;
  readonly status?: RecordedStatus;
  readonly child?: string;
}

/** The run of a subagent, as the call that started it knows it. */
export type ChildRun = Required<Pick<RecordedCall, "child">> & Pick<RecordedCall, "childTokens">;

/** A step to which more can be added. */
export interface OpenStep {
  /** Adds text, and replaces other fields. */
  amend(more: Partial<Reply>): void;
  /** Adds a call. An id that is known already changes nothing. */
  call(call: MadeCall): void;
}

/** Collects the steps of a run in the order of the recording. Long texts are clipped. */
export interface StepList {
  /** Begins a step. Later entries about the same reply can be added to it, also when other steps came in between. */
  reply(reply: Reply): OpenStep;
  /** Changes the newest step: a later entry about the same reply. Text is added to what there is. */
  amend(more: Partial<Reply>): void;
  /** Adds a call to the newest step; begins one if there is none. An id that is known already changes nothing. */
  call(call: MadeCall): void;
  /** Returns false if no call has this id. A second result for a call replaces the first. */
  result(id: string, result: CallResult): boolean;
  /** Connects a call with the run of the subagent that it started. Returns false if no call has this id. */
  connect(id: string, child: ChildRun): boolean;
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

  function amend(draft: DraftStep, more: Partial<Reply>): void {
    if (more.text) draft.texts.push(clipText(more.text));
    draft.reply = { ...draft.reply, ...more };
  }

  function addCall(draft: DraftStep, { id, args, ...rest }: MadeCall): void {
    if (callsById.has(id)) return;
    const call: DraftCall = { ...rest, args: clipValue(args ?? null), result: null, isError: null, hasResult: false };
    callsById.set(id, call);
    draft.calls.push(call);
  }

  return {
    reply(reply) {
      const draft = begin(reply);
      return { amend: (more) => amend(draft, more), call: (call) => addCall(draft, call) };
    },
    amend(more) {
      const draft = drafts.at(-1);
      if (draft === undefined) begin(more);
      else amend(draft, more);
    },
    call(call) {
      if (!callsById.has(call.id)) addCall(drafts.at(-1) ?? begin({}), call);
    },
    connect(id, child) {
      const call = callsById.get(id);
      if (call !== undefined) Object.assign(call, child);
      return call !== undefined;
    },
    result(id, { result, isError = null, ...rest }) {
      const call = callsById.get(id);
      if (call === undefined) return false;
      delete call.isResultUnknown;
      Object.assign(call, { result: clipValue(result ?? null), isError, hasResult: true }, rest);
      return true;
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
