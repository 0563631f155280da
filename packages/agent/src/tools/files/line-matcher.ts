import { Worker } from "node:worker_threads";

/** The lines of a text that a pattern matches, numbered from 1, or that it took too long. */
type MatchResult =
  | {
      readonly type: "lines";
      readonly lines: readonly { readonly number: number; readonly text: string; readonly isMatch: boolean }[];
      readonly count: number;
    }
  | { readonly type: "too-slow" }
  | { readonly type: "stopped" };

/** Matches lines in a thread of its own. A pattern that backtracks without end is stopped there and holds up nothing. */
export interface LineMatcher {
  match(text: string, most: number): Promise<MatchResult>;
  close(): Promise<void>;
}

export interface LineMatcherOptions {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Lines shown before and after a match. */
  readonly context: number;
  /** What one text may take. */
  readonly sleep: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Runs as it is, in any build: it is no module. */
const program = `
const { parentPort, workerData } = require("node:worker_threads");
const { source, flags, context } = workerData;
const pattern = new RegExp(source, flags);
parentPort.on("message", ({ text, most }) => {
  const lines = text.split("\\n");
  const kept = new Map();
  let count = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at].length > 20000 ? lines[at].slice(0, 20000) : lines[at];
    if (!pattern.test(line.endsWith("\\r") ? line.slice(0, -1) : line)) continue;
    if (at === lines.length - 1 && line === "") continue;
    count++;
    if (count > most) continue;
    for (let near = Math.max(0, at - context); near <= Math.min(lines.length - 1, at + context); near++) if (!kept.has(near)) kept.set(near, false);
    kept.set(at, true);
  }
  const shown = [...kept].sort((a, b) => a[0] - b[0]);
  parentPort.postMessage({ type: "lines", count, lines: shown.map(([at, isMatch]) => ({ number: at + 1, text: lines[at].slice(0, 1000), isMatch })) });
});
`;

/** Starts a matcher; the pattern is one that `RegExp` takes. */
export function createLineMatcher({ pattern, ignoreCase, context, sleep, signal }: LineMatcherOptions): LineMatcher {
  const worker = new Worker(program, {
    eval: true,
    workerData: { source: pattern, flags: ignoreCase ? "i" : "", context },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  let failure: MatchResult | undefined;
  worker.on("error", () => {
    failure = { type: "too-slow" }; // out of memory: the same to whoever asked
  });
  return {
    async match(text, most) {
      if (failure !== undefined) return failure;
      const done = new AbortController();
      const answer = new Promise<MatchResult>((resolve) => {
        worker.once("message", resolve);
        worker.once("exit", () => resolve(failure ?? { type: "stopped" }));
      });
      const stopped = new Promise<MatchResult>((resolve) => {
        signal.addEventListener("abort", () => resolve({ type: "stopped" }), { once: true, signal: done.signal });
      });
      worker.postMessage({ text, most });
      const late = sleep(AbortSignal.any([signal, done.signal])).then(
        (): MatchResult => (signal.aborted ? { type: "stopped" } : { type: "too-slow" }),
      );
      const matched = signal.aborted ? ({ type: "stopped" } as const) : await Promise.race([answer, stopped, late]);
      done.abort();
      worker.removeAllListeners("message");
      worker.removeAllListeners("exit");
      if (matched.type !== "lines") failure = matched;
      return matched;
    },
    async close() {
      await worker.terminate();
    },
  };
}
