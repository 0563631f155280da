/** Lets the runs of a session follow one another: two at once would mix their messages. */
export interface SessionQueue {
  /** Resolves when it is the caller's turn, with true; with false where the signal was aborted before. */
  turn(sessionId: string, signal: AbortSignal): Promise<boolean>;
  /** Whose turn it was is done. */
  release(sessionId: string): void;
}

export function createSessionQueue(): SessionQueue {
  const waiting = new Map<string, Set<() => void>>();
  return {
    async turn(sessionId, signal) {
      const line = waiting.get(sessionId);
      if (line === undefined) {
        waiting.set(sessionId, new Set());
        return true;
      }
      if (signal.aborted) return false;
      return new Promise((resolve) => {
        const leave = () => {
          line.delete(go);
          resolve(false);
        };
        const go = () => {
          signal.removeEventListener("abort", leave);
          resolve(true);
        };
        line.add(go);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
    release(sessionId) {
      const line = waiting.get(sessionId);
      const [next] = line ?? [];
      if (line === undefined || next === undefined) {
        waiting.delete(sessionId);
        return;
      }
      line.delete(next);
      next();
    },
  };
}
