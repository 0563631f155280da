import type { JsonObject } from "../../trajectory/json-fields.ts";
import { textField } from "../fields.ts";
import { runItem, skip } from "../read-item.ts";
import type { DocumentReader, LineReader } from "../reader.ts";
import { createConversation } from "./conversation.ts";
import {
  createExchangeLog,
  type ExchangeLog,
  exchangeDigests,
  exchangeItems,
  exchangeRun,
  isItem,
} from "./recorded-exchange.ts";

const frame = { format: "openai-chat", label: "OpenAI chat" } as const;

/** Requests of so many conversations may alternate in a log. */
const MAX_PARALLEL = 20;

/** Lines with one conversation each, or with one message or item each. */
export const openaiLineReader: LineReader = {
  ...frame,
  type: "lines",
  recognizes: (lines) => {
    const known = lines.filter((line) => isItem(line) || exchangeItems(line) !== undefined).length;
    return known > 0 && known * 2 >= lines.length;
  },
  open: (file) => {
    const logs: ExchangeLog[] = [];
    const messages = createConversation();
    let model: string | undefined;
    return {
      line(value: JsonObject, line: number) {
        if (isItem(value)) return messages.add(value, { line });
        if (value["role"] === "session_meta") {
          model ??= textField(value["model"]); // the first line of a session of hermes-agent
          return "read";
        }
        if (exchangeItems(value) === undefined) return { unknown: kindOf(value) };
        const problem = logOf(value, `${file}:${line}`).add(value, { line });
        return problem === undefined ? "read" : { malformed: problem };
      },
      end() {
        const run = messages.run({ id: logs.length > 0 ? `${file}: messages` : file, model });
        return [run, ...logs.map((log) => log.run())].filter((each) => each !== undefined);
      },
    };

    function logOf(value: JsonObject, id: string): ExchangeLog {
      const digests = exchangeDigests(value);
      const known = logs.slice(-MAX_PARALLEL).findLast((log) => log.isContinuedBy(digests));
      if (known !== undefined) return known;
      const log = createExchangeLog(value, id);
      logs.push(log);
      return log;
    }
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
