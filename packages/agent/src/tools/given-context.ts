import { keepShape } from "../keep-shape.ts";
import type { ToolContext } from "./tool.ts";

/** What a call is about, beside its input. */
export type CallPlace = Pick<ToolContext, "sessionId" | "runId" | "workspace"> & Partial<Pick<ToolContext, "progress">>;

/** What a tool is given for one call. Its signal is made when it asks for it: few do, and it costs more than most calls. */
export class GivenContext implements ToolContext {
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly workspace: string;
  readonly progress: (text: string) => void;
  declare readonly signal: AbortSignal;
  private own: AbortController | undefined = undefined;
  private isOver = false;

  constructor(callId: string, place: CallPlace) {
    this.sessionId = place.sessionId;
    this.runId = place.runId;
    this.callId = callId;
    this.workspace = place.workspace;
    this.progress = (text) => {
      if (!this.isOver) place.progress?.(text);
    };
    Object.defineProperty(this, "signal", madeWhenAsked); // its own, so that a copy of the context has it too
  }

  /** Nothing more is heard of the call; the tool is told why, where it was cut short. */
  close(why?: string): void {
    this.isOver = true;
    if (why !== undefined) this.own?.abort(new Error(why));
  }

  ownSignal(): AbortSignal {
    this.own ??= new AbortController();
    if (this.isOver) this.own.abort();
    return this.own.signal;
  }
}

const madeWhenAsked = {
  enumerable: true,
  get(this: GivenContext): AbortSignal {
    return this.ownSignal();
  },
};

keepShape(new GivenContext("", { sessionId: "", runId: "", workspace: "" }));
