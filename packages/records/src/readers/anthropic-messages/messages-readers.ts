import type { RecordedPosition, RecordedRun } from "../../trajectory/recorded-run.ts";
import { textField } from "../fields.ts";
import { runItem, skip } from "../read-item.ts";
import type { DocumentReader, LineReader } from "../reader.ts";
import { type Conversation, createConversation, withModel } from "./conversation.ts";
import { anthropicExchange, type Exchange } from "./exchange.ts";

const frame = { format: "anthropic-messages", label: "Anthropic messages" } as const;

/** Lines with a conversation or a request each. */
export const anthropicLineReader: LineReader = {
  ...frame,
  type: "lines",
  recognizes: (lines) => {
    const known = lines.filter((line) => anthropicExchange(line) !== undefined).length;
    return known > 0 && known * 2 >= lines.length;
  },
  open: (file) => {
    const log = createLog(file);
    return {
      line(value, line) {
        const exchange = anthropicExchange(value);
        if (exchange === undefined) return { unknown: textField(value["type"]) ?? "a line without messages" };
        log.add(exchange, { line });
        return "read";
      },
      end: () => log.runs(),
    };
  },
};

/** One conversation or request, or a list of them. */
export const anthropicDocumentReader: DocumentReader = {
  ...frame,
  type: "document",
  recognizes: (document) => exchangesOf(document).length > 0,
  *read(document, file) {
    const log = createLog(file);
    for (const [exchange, position] of exchangesOf(document)) log.add(exchange, position);
    const runs = log.runs();
    for (const run of runs) yield runItem(run, file);
    if (runs.length === 0) yield skip(file, 0, `it is a ${frame.label} recording without a reply of a model`);
  },
};

function exchangesOf(document: unknown): readonly (readonly [Exchange, RecordedPosition])[] {
  const whole = anthropicExchange(document);
  if (whole !== undefined) return [[whole, {}]];
  if (!Array.isArray(document)) return [];
  return document.flatMap((value, index) => {
    const exchange = anthropicExchange(value);
    return exchange === undefined ? [] : [[exchange, { entry: `entry ${index + 1}` }] as const];
  });
}

/** Requests of so many conversations may alternate in a log. */
const MAX_PARALLEL = 20;

interface ExchangeLog {
  add(exchange: Exchange, position: RecordedPosition): void;
  runs(): readonly RecordedRun[];
}

function createLog(file: string): ExchangeLog {
  const conversations: { readonly conversation: Conversation; readonly id: string; model: string | undefined }[] = [];
  return {
    add(exchange, position) {
      const newest = conversations.slice(-MAX_PARALLEL).reverse();
      if (newest.some(({ conversation }) => conversation.add(exchange, position))) return;
      const place = position.line ?? position.entry;
      const id = place === undefined ? file : `${file}:${place}`;
      conversations.push({ conversation: createConversation(exchange, position), id, model: exchange.model });
    },
    runs: () =>
      conversations.flatMap(({ conversation, id, model }) => {
        const run = conversation.run(id);
        return run === undefined ? [] : [withModel(run, model)];
      }),
  };
}
