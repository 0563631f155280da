import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { textField } from "../fields.ts";
import { runItem, skip } from "../read-item.ts";
import type { DocumentReader, LineReader } from "../reader.ts";
import { createConversation } from "./conversation.ts";
import { exchangeItems, exchangeRun, isItem } from "./recorded-exchange.ts";

const frame = { format: "openai-chat", label: "OpenAI chat" } as const;

/** Lines with one conversation each, or with one message or item each. */
export const openaiLineReader: LineReader = {
  ...frame,
  type: "lines",
  recognizes: (lines) => {
    const known = lines.filter((line) => isItem(line) || exchangeItems(line) !== undefined).length;
    return known > 0 && known * 2 >= lines.length;
  },
  open: (file) => {
    const runs: RecordedRun[] = [];
    const messages = createConversation();
    let hasConversations = false;
    let model: string | undefined;
    return {
      line(value: JsonObject, line: number) {
        if (isItem(value)) return messages.add(value, { line });
        if (value["role"] === "session_meta") {
          model ??= textField(value["model"]); // the first line of a session of hermes-agent
          return "read";
        }
        if (exchangeItems(value) === undefined) return { unknown: kindOf(value) };
        hasConversations = true;
        const { run, problem } = exchangeRun(value, `${file}:${line}`, { line });
        if (run !== undefined) runs.push(run);
        return problem === undefined ? "read" : { malformed: problem };
      },
      end() {
        const run = messages.run({ id: hasConversations ? `${file}: messages` : file, model });
        return run === undefined ? runs : [run, ...runs];
      },
    };
  },
};

function kindOf({ type, role }: JsonObject): string {
  const kind = typeof type === "string" ? type : role;
  return typeof kind === "string" ? kind : "a line without messages";
}

/** A conversation that is one document: a list of messages or items, or an object with such a list. */
export const openaiDocumentReader: DocumentReader = {
  ...frame,
  type: "document",
  recognizes: (document) => exchangeItems(document) !== undefined,
  *read(document, file) {
    const { run, problem } = exchangeRun(document, file, {});
    if (run !== undefined) yield runItem(run, file);
    if (problem !== undefined) yield skip(file, 0, problem);
  },
};
