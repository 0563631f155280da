import { jsonText, logText, shellScript, sourceText } from "./text.ts";
import { createWriter, type Writer } from "./writer.ts";

/** One tool call with its result. */
export interface Input {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** Creates inputs that never repeat, with about `argsBytes` of arguments and `resultBytes` of result. */
export function inputsOf(argsBytes: number, resultBytes: number, seed: number): (count: number) => readonly Input[] {
  const writer = createWriter(seed);
  let created = 0;
  return (count) =>
    Array.from({ length: count }, () => {
      const shape = shapes[created++ % shapes.length] as Shape; // in bounds by the remainder
      return flatStrings({
        tool: shape.tool,
        args: shape.args(writer, argsBytes),
        result: shape.result(writer, resultBytes),
      });
    });
}

interface Shape {
  readonly tool: string;
  readonly args: (writer: Writer, bytes: number) => Readonly<Record<string, unknown>>;
  readonly result: (writer: Writer, bytes: number) => string;
}

/** Common kinds of calls, in equal shares. */
const shapes: readonly Shape[] = [
  {
    tool: "write_file",
    args: (w, bytes) => ({ path: w.path(), content: sourceText(w, bytes - 80), encoding: "utf-8", overwrite: true }),
    result: sourceText,
  },
  {
    tool: "bash",
    args: (w, bytes) => ({ command: shellScript(w, bytes - 60), timeoutMs: w.below(90_000), cwd: w.path() }),
    result: logText,
  },
  {
    tool: "multi_edit",
    args: (w, bytes) => ({ path: w.path(), edits: edits(w, bytes - 60), dryRun: false }),
    result: sourceText,
  },
  {
    tool: "import_records",
    args: (w, bytes) => ({
      table: w.name(),
      options: { mode: "upsert", batch: w.below(500) },
      rows: rows(w, bytes - 100),
    }),
    result: jsonText,
  },
];

function edits(writer: Writer, bytes: number): unknown[] {
  const each = Math.min(800, bytes / 2);
  return Array.from({ length: Math.max(1, Math.round(bytes / each)) }, () => ({
    startLine: writer.below(4_000),
    oldText: sourceText(writer, each / 2 - 40),
    newText: sourceText(writer, each / 2 - 40),
    replaceAll: writer.below(2) === 1,
  }));
}

/** Many small fields, nested. */
function rows(writer: Writer, bytes: number): unknown[] {
  return Array.from({ length: Math.max(1, Math.round(bytes / 255)) }, () => ({
    id: writer.id(),
    name: `${writer.name()} ${writer.name()}`,
    price: writer.below(100_000) / 100,
    stock: { count: writer.below(900), warehouse: writer.name(), isReserved: writer.below(2) === 1 },
    tags: [writer.word(), writer.word(), writer.word()],
    updatedAt: writer.time(),
    note: writer.below(3) === 0 ? null : `${writer.word()} ${writer.word()} ${writer.word()}`,
  }));
}

/** Flattens strings, as from a network, so that no contestant pays for joining the parts they were built from. */
function flatStrings(input: Input): Input {
  return {
    tool: input.tool,
    args: JSON.parse(JSON.stringify(input.args)),
    result: Buffer.from(input.result).toString(),
  };
}
