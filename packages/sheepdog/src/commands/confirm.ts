import { type Io, write } from "../io.ts";

/** Asks the user at the terminal. Anything but y or yes counts as no. */
export async function confirm(question: string, io: Io): Promise<boolean> {
  await write(io.stderr, `${question} [y/N] `);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of io.stdin) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return /^y(?:es)?$/i.test(text.split("\n")[0]?.trim() ?? "");
}
