/**
 * Passes each warning of the runtime to `report` once, as a sentence that is safe to print. Node's own warnings still
 * reach their listeners. Returns a function that restores the earlier listeners.
 */
export function reportRuntimeWarnings(report: (sentence: string) => void): () => void {
  const nodeListeners = process.listeners("warning");
  const reported = new Set<string>();
  const onWarning = async (warning: Error) => {
    if (warning.name !== "Warning") {
      for (const listener of nodeListeners) listener(warning);
      return;
    }
    const { safeText } = await import("./render/terminal/safe-text.ts"); // loaded on demand: most commands never warn
    const sentence = safeText(warning.message);
    if (!reported.has(sentence)) report(sentence);
    reported.add(sentence);
  };
  process.removeAllListeners("warning");
  process.on("warning", onWarning);
  return () => {
    process.off("warning", onWarning);
    for (const listener of nodeListeners) process.on("warning", listener);
  };
}
