/** Lets the runs of a session follow one another: two at once would mix their messages. */
export interface Queue {
  /** Resolves when it is the caller's turn. */
  turn(sessionId: string): Promise<void>;
  release(sessionId: string): void;
}

export function createQueue(): Queue {
  const waiting = new Map<string, (() => void)[]>();
  return {
    async turn(sessionId) {
      const line = waiting.get(sessionId);
      if (line === undefined) waiting.set(sessionId, []);
      else await new Promise<void>((resolve) => line.push(resolve));
    },
    release(sessionId) {
      const next = waiting.get(sessionId)?.shift();
      if (next === undefined) waiting.delete(sessionId);
      else next();
    },
  };
}
