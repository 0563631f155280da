/** A position in a text; both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A part of a text: from `start` up to but not including `end`; both offsets start at 0. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The positions of the keys and values of a TOML document. The key of a list item is its index. */
export interface Positions {
  keyAt(path: readonly string[]): Position | undefined;
  valueAt(path: readonly string[]): Position | undefined;
  /** A value; undefined for a table with its own header. */
  valueSpan(path: readonly string[]): Span | undefined;
  /** A key and its value. */
  pairSpan(path: readonly string[]): Span | undefined;
  /** A table with its own header, up to its last value. */
  tableSpan(path: readonly string[]): Span | undefined;
  /** The table at the end of the document. */
  readonly lastTable: readonly string[];
}

/** Deeper than any key of the configuration. A deeper key has the position of its parent at this depth. */
const MAX_DEPTH = 8;

/** Finds every key and value of a TOML document. In an invalid document, positions after the fault are meaningless. */
export function tomlPositions(toml: string): Positions {
  const scan = new TomlScan(toml);
  scan.document();
  const lines = lineStarts(toml);
  const at = (spans: ReadonlyMap<string, Span>, path: readonly string[]) => spans.get(id(path.slice(0, MAX_DEPTH)));
  const position = (span: Span | undefined) => (span === undefined ? undefined : positionIn(lines, span.start));
  return {
    keyAt: (path) => position(at(scan.keys, path)),
    valueAt: (path) => position(at(scan.values, path) ?? at(scan.tables, path)),
    valueSpan: (path) => at(scan.values, path),
    pairSpan: (path) => at(scan.pairs, path),
    tableSpan: (path) => at(scan.tables, path),
    lastTable: scan.table,
  };
}

/** Scans a document once. It finds the extent of values and does not interpret them. */
class TomlScan {
  readonly keys = new Map<string, Span>();
  readonly values = new Map<string, Span>();
  readonly pairs = new Map<string, Span>();
  readonly tables = new Map<string, Span>();
  table: readonly string[] = [];
  private readonly toml: string;
  private at = 0;
  /** Where the last part of the newest key starts. */
  private lastPartAt = 0;
  /** The number of tables in each list of tables so far. */
  private readonly counts = new Map<string, number>();

  constructor(toml: string) {
    this.toml = toml;
  }

  document(): void {
    for (this.blank(); this.at < this.toml.length; this.blank()) {
      const startAt = this.at;
      if (this.toml[this.at] === "[") this.header();
      else this.pair(this.table);
      if (this.at === startAt) this.at++; // invalid TOML: skip one character
    }
  }

  private header(): void {
    const start = this.at;
    const isList = this.toml.startsWith("[[", start);
    this.at += isList ? 2 : 1;
    const path = this.key([], (parent) => this.newest(parent));
    if (isList) this.counts.set(id(path), (this.counts.get(id(path)) ?? 0) + 1);
    this.table = this.newest(path);
    if (isList) this.keys.set(id(this.table), { start: this.lastPartAt, end: this.at });
    this.skip(/[ \t\]]*/y);
    this.note(this.tables, path, start);
    this.tables.set(id(this.table), { start, end: this.at });
  }

  /** The path of a list of tables means its newest table. */
  private newest(path: readonly string[]): readonly string[] {
    const count = this.counts.get(id(path));
    return count === undefined ? path : [...path, String(count - 1)];
  }

  private pair(table: readonly string[]): void {
    const start = this.at;
    const path = this.key(table, (parent) => parent);
    this.skip(/[ \t]*=?[ \t]*/y);
    this.value(path);
    this.note(this.pairs, path, start);
    const tableSpan = this.tables.get(id(this.table));
    if (tableSpan !== undefined) this.tables.set(id(this.table), { ...tableSpan, end: this.at });
  }

  /** Reads a plain or dotted key below a table. `enter` maps the path of a parent to the table it means. */
  private key(table: readonly string[], enter: (parent: readonly string[]) => readonly string[]): readonly string[] {
    let path = table;
    for (;;) {
      this.skip(/[ \t]*/y);
      const start = this.at;
      this.lastPartAt = start;
      const part = this.part();
      path = below(path, part);
      this.note(this.keys, path, start);
      this.skip(/[ \t]*/y);
      if (this.toml[this.at] !== "." || this.at === start) return path;
      this.at++;
      path = enter(path);
    }
  }

  private part(): string {
    const quote = this.toml[this.at];
    if (quote !== '"' && quote !== "'") return this.skip(/[^\s.=\]#"']*/y);
    const raw = this.text(quote);
    return quote === '"' ? unquote(raw) : raw.slice(1, -1);
  }

  /** A quoted text. One or two quotes before the closing three belong to a multi-line text. */
  private text(quote: string): string {
    const start = this.at;
    const mark = this.toml.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
    this.at += mark.length;
    while (this.at < this.toml.length && !this.toml.startsWith(mark, this.at))
      this.at += quote === '"' && this.toml[this.at] === "\\" ? 2 : 1;
    this.at += mark.length;
    while (mark.length === 3 && this.toml[this.at] === quote) this.at++;
    return this.toml.slice(start, this.at);
  }

  private value(path: readonly string[]): void {
    const start = this.at;
    const first = this.toml[start];
    if (first === "[") this.list(path);
    else if (first === "{") this.inlineTable(path);
    else if (first === '"' || first === "'") this.text(first);
    else this.at = start + this.skip(/[^,\]}#\r\n]*/y).trimEnd().length;
    this.note(this.values, path, start);
  }

  /** Stores the span from `start` to here, unless the path has one already. */
  private note(spans: Map<string, Span>, path: readonly string[], start: number): void {
    if (!spans.has(id(path))) spans.set(id(path), { start, end: this.at });
  }

  private list(path: readonly string[]): void {
    this.items("]", (index) => this.value(below(path, String(index))));
  }

  private inlineTable(path: readonly string[]): void {
    this.items("}", () => this.pair(path));
  }

  private items(end: string, item: (index: number) => void): void {
    this.at++;
    for (let index = 0; this.at < this.toml.length; index++) {
      this.blank();
      if (this.toml[this.at] === end) break;
      const startAt = this.at;
      item(index);
      this.blank();
      if (this.toml[this.at] === ",") this.at++;
      if (this.at === startAt) break; // invalid TOML
    }
    this.at++;
  }

  /** Skips spaces, line ends and comments. */
  private blank(): void {
    while (this.skip(/\s+|#[^\n]*/y) !== "");
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [skipped = ""] = pattern.exec(this.toml) ?? [];
    this.at += skipped.length;
    return skipped;
  }
}

function below(path: readonly string[], part: string): readonly string[] {
  return path.length < MAX_DEPTH ? [...path, part] : path;
}

function id(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** The text of a quoted key. A key with an escape that JSON does not have stays as it is. */
function unquote(raw: string): string {
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.slice(1, -1);
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function positionIn(starts: readonly number[], offset: number): Position {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
