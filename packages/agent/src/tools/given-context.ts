import { keepShape } from "../async/keep-shape.ts";
import type { ToolContext } from "./tool.ts";

/** What a call is about, beside its input. */
export type CallPlace = Pick<ToolContext, "sessionId" | "runId" | "workspace"> & Partial<Pick<ToolContext, "progress">>;

/** A call as its tool hears of it: while it goes on, and when it is cut short. */
export class CallLife {
  private readonly told: CallPlace["progress"];
  private own: AbortController | undefined = undefined;
  private isOver = false;

  constructor({ progress }: CallPlace) {
    this.told = progress;
  }

  /** Made when the tool asks for it: few do, and it costs more than most calls. */
  get signal(): AbortSignal {
    this.own ??= new AbortController();
    if (this.isOver) this.own.abort();
    return this.own.signal;
  }

  tell(text: string): void {
    if (!this.isOver) this.told?.(text);
  }

  /** Nothing more is heard of the call; the tool is told why, where it was cut short. */
  end(why?: string): void {
    this.isOver = true;
    if (why !== undefined) this.own?.abort(new Error(why));
  }
}

const life = Symbol("life");

/** What a tool is given for one call. Whatever it does with it, copies and derived ones have the call's own signal. */
export function givenContext(callId: string, place: CallPlace, ofCall: CallLife): ToolContext {
  return new GivenContext(callId, place, ofCall);
}

class GivenContext implements ToolContext {
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly workspace: string;
  readonly progress: (text: string) => void;
  declare readonly signal: AbortSignal;
  readonly [life]: CallLife;

  constructor(callId: string, { sessionId, runId, workspace }: CallPlace, ofCall: CallLife) {
    this.sessionId = sessionId;
    this.runId = runId;
    this.callId = callId;
    this.workspace = workspace;
    this.progress = (text) => ofCall.tell(text);
    this[life] = ofCall;
    Object.defineProperty(this, "signal", signalOfCall); // its own, so that a copy has it too
  }
}

const signalOfCall = {
  enumerable: true,
  get(this: GivenContext): AbortSignal {
    return this[life].signal;
  },
};

/** Where no call is made. */
export const nowhere: CallPlace = { sessionId: "", runId: "", workspace: "" };
keepShape(new GivenContext("", nowhere, new CallLife(nowhere)), new CallLife(nowhere));
