/** Lets the runs of a session follow one another: two at once would mix their messages. */
export interface SessionQueue {
  /** Resolves with true when it is the caller's turn, with false when the signal was aborted first. */
  enter(sessionId: string, signal: AbortSignal): Promise<boolean>;
  /** Lets the next run of the session start. */
  leave(sessionId: string): void;
}

export function createSessionQueue(): SessionQueue {
  /** The waiting runs of each session that has a running one. */
  const queues = new Map<string, Set<() => void>>();
  return {
    async enter(sessionId, signal) {
      const queue = queues.get(sessionId);
      if (queue === undefined) {
        queues.set(sessionId, new Set());
        return true;
      }
      if (signal.aborted) return false;
      return new Promise((resolve) => {
        const onAbort = () => {
          queue.delete(start);
          resolve(false);
        };
        const start = () => {
          signal.removeEventListener("abort", onAbort);
          resolve(true);
        };
        queue.add(start);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    leave(sessionId) {
      const queue = queues.get(sessionId);
      const [startNext] = queue ?? [];
      if (queue === undefined || startNext === undefined) {
        queues.delete(sessionId);
        return;
      }
      queue.delete(startNext);
      startNext();
    },
  };
}
