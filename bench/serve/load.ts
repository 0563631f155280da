/** How much happens at once. */
export const load = {
  runs: 50,
  /** The scripted model replies after this time; the requests of the runs are spread evenly over it. */
  replyMs: 5_000,
  /** Turns that a run makes without delay before anything is measured: the history of the home. */
  historyTurns: 40,
  resultBytes: 2_000,
  /** `sheepdog run` processes, whose deltas are sent live. */
  deltaRuns: 4,
  clients: 100,
  clientProcesses: 2,
  /** Clients that connect and never read. */
  unread: 50,
  /** How long all clients are away before they reconnect. */
  awayMs: 3_000,
} as const;

/** The measured part of each phase. Every run makes a turn in each reply time. */
export const phaseMs: number = 2 * load.replyMs;

/** Resolves after a time. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
