/**
 * Whether a signal is aborted. In Node every signal has a shape of its own: whoever reads one directly is compiled for the signal of one run, and compiled
 * anew for the next. This function is the one that knows them as the many they are.
 */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

const reads = 64; // enough for V8 to begin to take notes
const signals = Array.from({ length: 8 }, () => new AbortController().signal);
for (let count = 0; count < reads; count += 1) for (const signal of signals) isAborted(signal);
