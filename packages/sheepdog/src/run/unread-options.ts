import { exitCode } from "../exit-code.ts";
import { unbegunDocument } from "./result-document.ts";
import { documentText, eventsEndText } from "./viewer.ts";

/** What `sheepdog run` owes stdout where its options cannot be read: the document, if one was asked for. */
export function unreadOptions([command, ...words]: readonly string[], problem: string): string | undefined {
  const end = words.indexOf("--");
  const options = end === -1 ? words : words.slice(0, end);
  if (command !== "run") return undefined;
  const document = unbegunDocument(problem, exitCode.usage);
  if (options.includes("--json")) return documentText(document);
  return options.includes("--stream-json") ? eventsEndText(document) : undefined;
}
