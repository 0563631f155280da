/** Tells all that wait when something may have changed. */
export interface Waker {
  wake(): void;
  /** Resolves at the next change. */
  next(): Promise<void>;
}

/** Changes come in groups: they are answered together. */
const groupMs = 15;

export function createWaker(): Waker {
  let isPlanned = false;
  let waiting: (() => void)[] = [];
  const answer = () => {
    const woken = waiting;
    isPlanned = false;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  return {
    wake() {
      if (!isPlanned) setTimeout(answer, groupMs);
      isPlanned = true;
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
