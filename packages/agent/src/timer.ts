import { keepShape } from "./keep-shape.ts";

/** A timer that runs. Stopping it a second time, or too late, does nothing. */
export interface Timer {
  /** Sets it back to its start. */
  refresh(): void;
  stop(): void;
}

export interface TimerOptions {
  /** The process stays alive for it. */
  readonly isWaitedFor: boolean;
}

/** Calls `fire` once, after so many milliseconds. */
export function startTimer(ms: number, fire: () => void, { isWaitedFor }: TimerOptions = waitedFor): Timer {
  return new RunningTimer(idle.get(ms)?.pop() ?? new Clockwork(ms), fire, isWaitedFor);
}

const waitedFor: TimerOptions = { isWaitedFor: true };

class RunningTimer implements Timer {
  private clockwork: Clockwork | undefined;

  constructor(clockwork: Clockwork, fire: () => void, isWaitedFor: boolean) {
    this.clockwork = clockwork;
    clockwork.begin(fire, isWaitedFor);
  }

  refresh(): void {
    this.clockwork?.refresh();
  }

  stop(): void {
    this.clockwork?.end();
    this.clockwork = undefined;
  }
}

/** Node fires at once where it is given more. */
const longestMs = 2 ** 31 - 1;

/** Clockworks that wait for nobody, by their length. */
const idle = new Map<number, Clockwork[]>();

/**
 * One of Node's timers for many of ours that follow each other: each request needs one, and hardly ever lets it run out. Starting, setting back and stopping
 * are notes; when Node's timer fires it looks at them, and waits for what is left.
 */
class Clockwork {
  private readonly ms: number;
  private readonly look: () => void;
  private timeout: NodeJS.Timeout;
  private startedAt = 0;
  private fire: (() => void) | undefined = undefined;

  constructor(ms: number) {
    this.ms = ms;
    this.look = () => this.fireOrWait();
    this.timeout = setTimeout(this.look, Math.min(ms, longestMs));
  }

  begin(fire: () => void, isWaitedFor: boolean): void {
    this.startedAt = performance.now();
    this.fire = fire;
    if (isWaitedFor) this.timeout.ref();
    else this.timeout.unref();
  }

  refresh(): void {
    this.startedAt = performance.now();
  }

  end(): void {
    if (this.fire === undefined) return; // it has fired
    this.fire = undefined;
    this.timeout.unref();
    const others = idle.get(this.ms);
    if (others === undefined) idle.set(this.ms, [this]);
    else others.push(this);
  }

  private fireOrWait(): void {
    const { fire, ms } = this;
    if (fire === undefined) {
      this.leave();
      return;
    }
    const left = Math.ceil(this.startedAt + ms - performance.now());
    if (left > 0) {
      this.wait(left);
      return;
    }
    this.fire = undefined;
    fire();
  }

  private wait(ms: number): void {
    const isWaitedFor = this.timeout.hasRef();
    this.timeout = setTimeout(this.look, Math.min(ms, longestMs));
    if (!isWaitedFor) this.timeout.unref();
  }

  /** Nobody has needed it for all its length. */
  private leave(): void {
    const others = idle.get(this.ms)?.filter((other) => other !== this) ?? [];
    if (others.length === 0) idle.delete(this.ms);
    else idle.set(this.ms, others);
  }
}

const shape = startTimer(1, () => undefined, { isWaitedFor: false });
shape.stop();
keepShape(shape, ...(idle.get(1) ?? []));
