import type { CountingNotes, RecordedCall, RecordedStatus, RecordedStep } from "../trajectory/recorded-run.ts";
import { clipText, clipValue } from "./clip.ts";
import { countingNotes } from "./counting-notes.ts";

/** A reply of the model. */
export type Reply = Omit<RecordedStep, "turn" | "calls" | "text"> & { readonly text?: string };

/** A call of the newest reply. The id connects it with its result, unless other calls have it as well. */
export interface MadeCall extends Pick<RecordedCall, "name" | "args" | "kind" | "at" | "child" | "position"> {
  readonly id?: string | undefined;
}

/** The result of a call. */
export interface CallResult extends Pick<RecordedCall, "result" | "isResultUnknown" | "endedAt"> {
  readonly isError?: boolean | null;
  readonly status?: RecordedStatus;
  readonly child?: string;
  readonly childTokens?: number;
}

/** The run of a subagent, as the call that started it knows it. */
export type ChildRun = Required<Pick<RecordedCall, "child">> & Pick<RecordedCall, "childTokens">;

/** A call to which its result can be added. */
export interface OpenCall {
  readonly hasResult: boolean;
  /** Whether nothing but its place tells this call from another open one of its step. */
  readonly isShared: boolean;
  /** A second result replaces the first. */
  end(result: CallResult): void;
}

/** A step to which more can be added. */
export interface OpenStep {
  /** Adds text, and replaces other fields. */
  amend(more: Partial<Reply>): void;
  call(call: MadeCall): OpenCall;
}

/**
 * Collects the steps of a run in the order of the recording. Long texts are clipped.
 *
 * An id identifies a call only while no other call has it: models use ids again, and people mask them before they share
 * a recording. Otherwise the place decides: a result belongs to the nearest step before it with an open call of this
 * id, and there to the first one.
 */
export interface StepList {
  /** Begins a step. Later entries about the same reply can be added to it, also when other steps came in between. */
  reply(reply: Reply): OpenStep;
  /** The context was compacted: marks the next step. */
  compact(): void;
  /** Changes the newest step: a later entry about the same reply. Text is added to what there is. */
  amend(more: Partial<Reply>): void;
  /**
   * Adds a call to the newest step; begins one if there is none. One with the id, the name and the arguments of an open
   * call of this step repeats it, unless it gets a result of its own.
   */
  call(call: MadeCall): OpenCall;
  /** The call to which the next result with this id, and with this name of a tool where one is known, belongs. */
  openCall(id: string | undefined, name?: string): OpenCall | undefined;
  /** Returns false if no call has this id. A second result for the only call with an id replaces the first. */
  result(id: string | undefined, result: CallResult, name?: string): boolean;
  /** Connects a call with the run of the subagent that it started. Returns false unless one call alone has this id. */
  connect(id: string, child: ChildRun): boolean;
  readonly isEmpty: boolean;
  /** The steps. Calls without a result were interrupted. */
  steps(): readonly RecordedStep[];
  /** These counts, with what this list could not tell apart; undefined without any. */
  counting(counts?: CountingNotes): CountingNotes | undefined;
}

interface DraftStep {
  reply: Reply;
  readonly texts: string[];
  readonly calls: DraftCall[];
}

interface DraftCall extends OpenCall {
  hasResult: boolean;
  readonly step: DraftStep;
  readonly call: { -readonly [K in keyof RecordedCall]: RecordedCall[K] };
  readonly isRepeat: boolean;
}

/** The calls with an id. */
interface SameId {
  count: number;
  newest: DraftCall;
  /** Those without a result, in the order of the recording. */
  readonly open: DraftCall[];
}

/** Creates an empty list. */
export function createStepList(): StepList {
  const drafts: DraftStep[] = [];
  const byId = new Map<string, SameId>(); // calls without an id have none together
  let ambiguousResults = 0;
  let isCompacted = false;

  function begin(reply: Reply): DraftStep {
    const draft: DraftStep = { reply: isCompacted ? { ...reply, compacted: true } : reply, texts: [], calls: [] };
    isCompacted = false;
    drafts.push(draft);
    if (reply.text) draft.texts.push(clipText(reply.text));
    return draft;
  }

  function amend(draft: DraftStep, more: Partial<Reply>): void {
    if (more.text) draft.texts.push(clipText(more.text));
    draft.reply = { ...draft.reply, ...more };
  }

  function addCall(step: DraftStep, { id = "", args, ...rest }: MadeCall): OpenCall {
    const call: DraftCall["call"] = { ...rest, args: clipValue(args ?? null), result: null, isError: null };
    const others = byId.get(id)?.open ?? [];
    const isRepeat = id !== "" && others.some((other) => other.step === step && isEqual(other.call, call));
    const draft: DraftCall = {
      ...{ step, call, isRepeat, hasResult: false },
      get isShared() {
        return open.some((other) => other !== draft && other.step === step && !other.isRepeat);
      },
      end({ result, isError = null, ...more }) {
        if (!draft.hasResult) open.splice(open.indexOf(draft), 1);
        delete call.isResultUnknown;
        Object.assign(call, { result: clipValue(result ?? null), isError }, more);
        draft.hasResult = true;
      },
    };
    const sameId = byId.get(id) ?? { count: 0, newest: draft, open: [] };
    const { open } = sameId;
    byId.set(id, sameId);
    if (!isRepeat) sameId.count++;
    if (!isRepeat) sameId.newest = draft;
    step.calls.push(draft);
    open.push(draft);
    return draft;
  }

  /** The calls with an id. Where no call has any, all calls. */
  function sameIds(id = ""): SameId | undefined {
    return byId.get(id) ?? (byId.size === 1 ? byId.get("") : undefined);
  }

  function openCall(id: string | undefined, name?: string): OpenCall | undefined {
    const matching = sameIds(id)?.open.filter(({ call }) => name === undefined || call.name === name) ?? [];
    const step = matching.at(-1)?.step;
    const first = matching.find((other) => other.step === step);
    if (first?.isShared) ambiguousResults++;
    return first;
  }

  return {
    reply(reply) {
      const draft = begin(reply);
      return { amend: (more) => amend(draft, more), call: (call) => addCall(draft, call) };
    },
    compact() {
      isCompacted = true;
    },
    amend(more) {
      const draft = drafts.at(-1);
      if (draft === undefined) begin(more);
      else amend(draft, more);
    },
    call: (call) => addCall(drafts.at(-1) ?? begin({}), call),
    openCall,
    result(id, result, name) {
      const sameId = sameIds(id);
      const call = openCall(id, name);
      if (call !== undefined) call.end(result);
      else if (sameId?.count === 1) sameId.newest.end(result);
      else if (sameId !== undefined) ambiguousResults++;
      return call !== undefined || sameId !== undefined;
    },
    connect(id, child) {
      const sameId = byId.get(id);
      if (sameId?.count !== 1) return false;
      Object.assign(sameId.newest.call, child);
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
        calls: calls.filter(({ isRepeat, hasResult }) => !isRepeat || hasResult).map(finishedCall),
      })),
    counting: (counts = {}) => countingNotes({ ...counts, ambiguousResults }),
  };
}

function isEqual(one: RecordedCall, other: RecordedCall): boolean {
  return one.name === other.name && JSON.stringify(one.args) === JSON.stringify(other.args);
}

function finishedCall({ call, hasResult }: DraftCall): RecordedCall {
  return hasResult ? call : { ...call, status: "interrupted" };
}
