/** Notes the processor time at every 200th request. */
export interface Meter {
  /** Called by the model at each request, with its prompt. */
  request(prompt?: unknown): void;
}

export const windowTurns = 200;

/** Times since the start of the meter, in microseconds. */
export interface Times {
  /** Processor time of all threads. */
  readonly cpuMicros: number;
  /** Processor time of each complete window of 200 turns. */
  readonly windowMicros: readonly number[];
  readonly clockMicros: number;
}

export interface RunningMeter extends Meter {
  end(): Times;
}

/** Starts to measure. */
export function startMeter(): RunningMeter {
  const start = process.cpuUsage();
  const startedAt = performance.now();
  const marks: number[] = [0];
  let requests = 0;
  return {
    request() {
      if (requests > 0 && requests % windowTurns === 0) marks.push(cpuSince(start));
      requests += 1;
    },
    end: () => ({
      cpuMicros: cpuSince(start),
      windowMicros: marks.slice(1).map((mark, index) => mark - (marks[index] ?? 0)),
      clockMicros: (performance.now() - startedAt) * 1_000,
    }),
  };
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
