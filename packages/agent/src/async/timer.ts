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
  return new RunningTimer(takeIdle(ms) ?? new Clockwork(ms), fire, isWaitedFor);
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

/** Clockworks that nobody needs just now. */
const idle: Clockwork[] = [];
const mostIdle = 16;

/** One of that length. Those of timers that have been replaced since, as tests do, are let go. */
function takeIdle(ms: number): Clockwork | undefined {
  for (let i = idle.length - 1; i >= 0; i -= 1) {
    const found = idle[i] as Clockwork; // in bounds by the loop
    if (found.madeBy === setTimeout && found.ms !== ms) continue;
    removeIdle(i);
    if (found.madeBy === setTimeout) return found;
  }
  return undefined;
}

/** The last one takes its place: their order does not matter. */
function removeIdle(place: number): void {
  const last = idle.pop() as Clockwork; // there is at least the one at this place
  if (place < idle.length) idle[place] = last;
}

/**
 * One of Node's timers for many of ours that follow each other: each request needs one, and hardly ever lets it run out. Starting, setting back and stopping
 * are notes; when Node's timer fires it looks at them, and waits for what is left.
 */
class Clockwork {
  readonly ms: number;
  readonly madeBy = setTimeout;
  private readonly look: () => void;
  private timeout: NodeJS.Timeout;
  private startedAt = 0;
  private isWaitedFor = true; // as Node's timers are
  private fire: (() => void) | undefined = undefined;

  constructor(ms: number) {
    this.ms = ms;
    this.look = () => this.fireOrWait();
    this.timeout = setTimeout(this.look, Math.min(ms, longestMs));
  }

  begin(fire: () => void, isWaitedFor: boolean): void {
    this.startedAt = performance.now();
    this.fire = fire;
    this.waitFor(isWaitedFor);
  }

  refresh(): void {
    this.startedAt = performance.now();
  }

  end(): void {
    if (this.fire === undefined) return; // it has fired
    this.fire = undefined;
    this.waitFor(false);
    if (idle.length < mostIdle) idle.push(this);
    else clearTimeout(this.timeout);
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
    this.timeout = setTimeout(this.look, Math.min(ms, longestMs));
    if (!this.isWaitedFor) this.timeout.unref();
  }

  private waitFor(isWaitedFor: boolean): void {
    if (isWaitedFor === this.isWaitedFor) return;
    this.isWaitedFor = isWaitedFor;
    if (isWaitedFor) this.timeout.ref();
    else this.timeout.unref();
  }

  /** Nobody has needed it for all its length. */
  private leave(): void {
    const place = idle.indexOf(this);
    if (place >= 0) removeIdle(place);
  }
}

const shape = startTimer(1, () => undefined, { isWaitedFor: false });
shape.stop();
keepShape(shape, ...idle);
