/** Takes the processor time at the beginning, at every two hundredth request and at the end. */
export interface Meter {
  /** A request is made, with this prompt. */
  request(prompt?: unknown): void;
}

export const windowTurns = 200;

export interface Metered extends Meter {
  /** Microseconds of processor time, all threads, from the making to now and by windows; and microseconds on the clock. */
  end(): { readonly total: number; readonly windows: readonly number[]; readonly wall: number };
}

/** Starts to measure. */
export function startMeter(): Metered {
  const start = process.cpuUsage();
  const startedAt = performance.now();
  const marks: number[] = [0];
  let requests = 0;
  return {
    request() {
      if (requests > 0 && requests % windowTurns === 0) marks.push(since(start));
      requests += 1;
    },
    end: () => ({
      total: since(start),
      windows: marks.slice(1).map((mark, index) => mark - (marks[index] ?? 0)),
      wall: (performance.now() - startedAt) * 1_000,
    }),
  };
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
