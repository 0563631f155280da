import { Worker } from "node:worker_threads";

/** A line of a text, numbered from 1. `isMatch` is false for lines of context. */
export interface MatchedLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** The matching lines of a text, or why there are none. */
type MatchResult =
  | { readonly type: "lines"; readonly lines: readonly MatchedLine[]; readonly count: number }
  | { readonly type: "too-slow" }
  | { readonly type: "stopped" };

/** Matches lines in a worker thread, so that a pattern with catastrophic backtracking can be stopped. */
export interface LineMatcher {
  /** `count` in the result counts all matches, of which `lines` holds the first `maxMatches`. */
  match(text: string, maxMatches: number): Promise<MatchResult>;
  close(): Promise<void>;
}

export interface LineMatcherOptions {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** How many lines to return before and after each match. */
  readonly contextLines: number;
  /** Resolves when the time for one text is up, or when the signal is aborted. */
  readonly waitLimit: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Source text, because a worker file would have to be found in every build of the package. */
const workerSource = `
const { parentPort, workerData } = require("node:worker_threads");
const { source, flags, contextLines } = workerData;
const pattern = new RegExp(source, flags);
parentPort.on("message", ({ text, maxMatches }) => {
  const lines = text.split("\\n");
  const selected = new Map();
  let count = 0;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index].length > 20000 ? lines[index].slice(0, 20000) : lines[index];
    if (!pattern.test(line.endsWith("\\r") ? line.slice(0, -1) : line)) continue;
    if (index === lines.length - 1 && line === "") continue;
    count++;
    if (count > maxMatches) continue;
    const last = Math.min(lines.length - 1, index + contextLines);
    for (let near = Math.max(0, index - contextLines); near <= last; near++)
      if (!selected.has(near)) selected.set(near, false);
    selected.set(index, true);
  }
  const sorted = [...selected].sort((a, b) => a[0] - b[0]);
  const toLine = ([index, isMatch]) => ({ number: index + 1, text: lines[index].slice(0, 1000), isMatch });
  parentPort.postMessage({ type: "lines", count, lines: sorted.map(toLine) });
});
`;

/** Starts a matcher; `pattern` must be valid for `RegExp`. */
export function createLineMatcher(options: LineMatcherOptions): LineMatcher {
  const { pattern, ignoreCase, contextLines, waitLimit, signal } = options;
  const worker = new Worker(workerSource, {
    eval: true,
    workerData: { source: pattern, flags: ignoreCase ? "i" : "", contextLines },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  let failure: MatchResult | undefined;
  worker.on("error", () => {
    failure = { type: "too-slow" }; // out of memory, which has the same remedy
  });
  return {
    async match(text, maxMatches) {
      if (failure !== undefined) return failure;
      if (signal.aborted) {
        failure = { type: "stopped" };
        return failure;
      }
      const done = new AbortController();
      const answer = new Promise<MatchResult>((resolve) => {
        worker.once("message", resolve);
        worker.once("exit", () => resolve(failure ?? { type: "stopped" }));
      });
      const stopped = new Promise<MatchResult>((resolve) => {
        signal.addEventListener("abort", () => resolve({ type: "stopped" }), { once: true, signal: done.signal });
      });
      worker.postMessage({ text, maxMatches });
      const timeUp = waitLimit(AbortSignal.any([signal, done.signal])).then(
        (): MatchResult => (signal.aborted ? { type: "stopped" } : { type: "too-slow" }),
      );
      const result = await Promise.race([answer, stopped, timeUp]);
      done.abort();
      worker.removeAllListeners("message");
      worker.removeAllListeners("exit");
      if (result.type !== "lines") failure = result;
      return result;
    },
    async close() {
      await worker.terminate();
    },
  };
}
