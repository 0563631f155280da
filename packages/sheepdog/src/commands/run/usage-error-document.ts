import { exitCode } from "../../exit-code.ts";
import { unbegunDocument } from "./result-document.ts";
import { owedText } from "./viewer.ts";

/** What `sheepdog run` owes stdout where its options cannot be read: the document, if one was asked for. */
export function usageErrorDocument(words: readonly string[], problem: string): string | undefined {
  const end = words.indexOf("--");
  const options = end === -1 ? words : words.slice(0, end);
  return owedText(
    { json: options.includes("--json"), streamJson: options.includes("--stream-json") },
    unbegunDocument(problem, exitCode.usage),
  );
}
