import { callOut } from "../async/call-out.ts";
import { Deferred } from "../async/deferred.ts";
import { isAborted } from "../async/is-aborted.ts";
import { keepShape } from "../async/keep-shape.ts";
import { offAbort, onAbort } from "../async/on-abort.ts";
import type { Clock } from "../protocol/clock.ts";
import { CallLife, nowhere } from "./given-context.ts";
import { thrownText, toText } from "./to-text.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

/** What may cut a tool short. */
export interface Limits {
  /** Infinity: as long as it takes. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "after">;
}

/** A tool at work: over when the tool has ended, or a turn of the event loop after it was cut short, whichever comes first. */
export class Attempt {
  private readonly tool: Tool;
  private readonly life: CallLife;
  private readonly signal: AbortSignal;
  private readonly timeoutMs: number;
  private readonly first = new Deferred<ToolOutcome>();
  private readonly interrupt: () => void;
  private readonly clock: Limits["clock"];
  private stopTimer: (() => void) | undefined = undefined;
  /** What came of it, perhaps after it was cut short. */
  private outcome: ToolOutcome | undefined = undefined;
  private isCutShort = false;

  constructor(tool: Tool, life: CallLife, { timeoutMs, signal, clock }: Limits) {
    this.tool = tool;
    this.life = life;
    this.signal = signal;
    this.timeoutMs = timeoutMs;
    this.clock = clock;
    this.interrupt = () => this.cutShort("interrupted");
  }

  /** Has the tool begin. What may cut it short counts from then on, and not from before: what a tool does at once holds up the clock as well. */
  start(input: unknown, context: ToolContext): Promise<ToolOutcome> {
    void this.make(input, context);
    if (this.outcome === undefined) this.wait(); // else it threw at once
    return this.first.promise;
  }

  private wait(): void {
    const { signal, timeoutMs } = this;
    onAbort(signal, this.interrupt);
    if (isAborted(signal)) this.interrupt(); // while the tool began
    if (Number.isFinite(timeoutMs)) this.stopTimer = this.clock.after(timeoutMs, () => this.cutShort("timeout"));
  }

  private async make(input: unknown, context: ToolContext): Promise<void> {
    let outcome: ToolOutcome;
    try {
      outcome = readOutcome(await callOut(this.tool, "run", input, context));
    } catch (thrown) {
      outcome = failed(`${this.tool.name} failed: ${thrownText(thrown)}`);
    }
    this.outcome = outcome;
    if (this.isCutShort) return;
    this.stopWaiting();
    this.life.end();
    this.first.resolve(outcome);
  }

  private cutShort(why: "timeout" | "interrupted"): void {
    if (this.outcome !== undefined || this.isCutShort) return;
    this.isCutShort = true;
    void this.leave(why);
  }

  /** The tool is told why, once whoever has cut it short is done, and may give what it has. */
  private async leave(why: "timeout" | "interrupted"): Promise<void> {
    await undefined;
    this.stopWaiting();
    this.life.end(why === "timeout" ? "the time is up" : "the run was interrupted");
    await new Promise((resolve) => setImmediate(resolve));
    this.first.resolve(this.endedEarly(why));
  }

  private stopWaiting(): void {
    this.stopTimer?.();
    offAbort(this.signal, this.interrupt);
  }

  /** A tool that ended well at the last moment has ended well. */
  private endedEarly(why: "timeout" | "interrupted"): ToolOutcome {
    const { tool, outcome: last, timeoutMs } = this;
    if (last?.status === "ok") return last;
    const said =
      why === "timeout"
        ? `${tool.name} was ended: it took longer than ${timeoutMs} ms`
        : `${tool.name} was interrupted`;
    const note = `[${said}; what it did up to then may be done: look before you repeat it]`;
    return {
      status: why,
      content: last === undefined || last.status === "error" || last.content === "" ? note : last.content,
    };
  }
}

/** What a tool gave back, which its types promise but nothing enforces. */
function readOutcome(given: unknown): ToolOutcome {
  if (typeof given !== "object" || given === null || !("status" in given) || !("content" in given))
    return ok(toText(given));
  const { status, content } = given;
  if (status !== "ok" && status !== "error" && status !== "timeout" && status !== "interrupted")
    return ok(toText(given));
  const details = "details" in given ? given.details : undefined;
  const text = toText(content);
  return details === undefined ? { status, content: text } : { status, content: text, details };
}

const { signal } = new AbortController();
keepShape(
  new Attempt({} as Tool, new CallLife(nowhere), {
    timeoutMs: Number.POSITIVE_INFINITY,
    signal,
    clock: { after: () => () => undefined },
  }),
); // of no tool
