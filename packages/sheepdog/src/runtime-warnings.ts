/** Has the warnings of the runtime said as sentences, and each of them once; those of Node itself stay as they are. Gives back how to stop. */
export function reportRuntimeWarnings(say: (sentence: string) => void): () => void {
  const others = process.listeners("warning");
  const said = new Set<string>();
  const hear = async (warning: Error) => {
    if (warning.name !== "Warning") {
      for (const listener of others) listener(warning);
      return;
    }
    const { safeText } = await import("./render/terminal/safe-text.ts"); // most commands never warn
    const sentence = safeText(warning.message);
    if (!said.has(sentence)) say(sentence);
    said.add(sentence);
  };
  process.removeAllListeners("warning");
  process.on("warning", hear);
  return () => {
    process.off("warning", hear);
    for (const listener of others) process.on("warning", listener);
  };
}
