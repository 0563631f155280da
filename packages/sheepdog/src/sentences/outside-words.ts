import { escapeTags } from "@sheepdog/agent";
import { plainLines } from "../render/terminal/plain-text.ts";

/** A message for an agent that came from outside, without control characters and without tags of our prompts. */
export function outsideWords(text: string): string {
  return escapeTags(plainLines(text));
}
