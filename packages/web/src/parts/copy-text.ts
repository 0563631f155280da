import type { CommandResult } from "../contract/index.ts";

/** Copies a text. Resolves with a sentence that has the text itself where the browser forbids it. */
export async function copyText(text: string): Promise<CommandResult> {
  try {
    await navigator.clipboard.writeText(text);
    return { isDone: true, text: `Copied: ${text}`, runId: null };
  } catch {
    return { isDone: false, text: `The browser does not let this page copy. Copy it yourself: ${text}`, runId: null };
  }
}
