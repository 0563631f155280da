import { exitCode } from "../../exit-code.ts";
import { notStartedDocument } from "./result-document.ts";
import { documentOutput } from "./viewer.ts";

/** What `sheepdog run` prints to stdout when its options are invalid: the document, if JSON was requested. */
export function usageErrorDocument(words: readonly string[], problem: string): string | undefined {
  const end = words.indexOf("--");
  const options = end === -1 ? words : words.slice(0, end);
  return documentOutput(
    { json: options.includes("--json"), streamJson: options.includes("--stream-json") },
    notStartedDocument(problem, exitCode.usage),
  );
}
