/** A place in a text, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A part of a text: from the first character to the one before `end`, both counted from 0. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where the keys and values of a TOML document are. Items of lists have their index as a key. */
export interface Positions {
  keyAt(path: readonly string[]): Position | undefined;
  valueAt(path: readonly string[]): Position | undefined;
  /** A value; none for a table with a head of its own. */
  valueSpan(path: readonly string[]): Span | undefined;
  /** A key and its value. */
  pairSpan(path: readonly string[]): Span | undefined;
  /** A table that has a head, up to the last of its keys and values. */
  tableSpan(path: readonly string[]): Span | undefined;
  /** The table that the end of the document is in. */
  readonly lastTable: readonly string[];
}

/** Deeper keys than the configuration has are found by the last of their parents that is not. */
const deepest = 8;

/** Finds every key and value of a valid TOML document; of an invalid one what comes before the fault, and nothing sensible after. */
export function tomlPositions(toml: string): Positions {
  const scan = new Scan(toml);
  scan.document();
  const lines = lineStarts(toml);
  const at = (spans: ReadonlyMap<string, Span>, path: readonly string[]) => spans.get(id(path.slice(0, deepest)));
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

/** Goes through a document once, by its marks alone: what a value means is somebody else's business. */
class Scan {
  readonly keys = new Map<string, Span>();
  readonly values = new Map<string, Span>();
  readonly pairs = new Map<string, Span>();
  readonly tables = new Map<string, Span>();
  table: readonly string[] = [];
  private readonly toml: string;
  private at = 0;
  /** How many tables each list of tables has so far. */
  private readonly counts = new Map<string, number>();

  constructor(toml: string) {
    this.toml = toml;
  }

  document(): void {
    for (this.blank(); this.at < this.toml.length; this.blank()) {
      const before = this.at;
      if (this.toml[this.at] === "[") this.header();
      else this.pair(this.table);
      if (this.at === before) this.at++; // no TOML: on to the next character
    }
  }

  private header(): void {
    const start = this.at;
    const isList = this.toml.startsWith("[[", start);
    this.at += isList ? 2 : 1;
    const path = this.key([], (parent) => this.newest(parent));
    if (isList) this.counts.set(id(path), (this.counts.get(id(path)) ?? 0) + 1);
    this.table = this.newest(path);
    this.skip(/[ \t\]]*/y);
    this.note(this.tables, path, start);
    this.tables.set(id(this.table), { start, end: this.at });
  }

  /** A list of tables stands for the newest of them. */
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
    const known = this.tables.get(id(this.table));
    if (known !== undefined) this.tables.set(id(this.table), { ...known, end: this.at });
  }

  /** Reads a key, dotted or not, below a table. */
  private key(table: readonly string[], through: (parent: readonly string[]) => readonly string[]): readonly string[] {
    let path = table;
    for (;;) {
      this.skip(/[ \t]*/y);
      const start = this.at;
      const part = this.part();
      path = below(path, part);
      this.note(this.keys, path, start);
      this.skip(/[ \t]*/y);
      if (this.toml[this.at] !== "." || this.at === start) return path;
      this.at++;
      path = through(path);
    }
  }

  private part(): string {
    const quote = this.toml[this.at];
    if (quote !== '"' && quote !== "'") return this.skip(/[^\s.=\]#"']*/y);
    const raw = this.text(quote);
    return quote === '"' ? plain(raw) : raw.slice(1, -1);
  }

  /** A text in quotes: in one line, or in three quotes, before which one or two more may belong to the text. */
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

  /** Remembers where something began that ends here; the first of its name. */
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
      const before = this.at;
      item(index);
      this.blank();
      if (this.toml[this.at] === ",") this.at++;
      if (this.at === before) break; // no TOML
    }
    this.at++;
  }

  /** Passes spaces, line ends and comments. */
  private blank(): void {
    while (this.skip(/\s+|#[^\n]*/y) !== "");
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ""] = pattern.exec(this.toml) ?? [];
    this.at += found.length;
    return found;
  }
}

function below(path: readonly string[], part: string): readonly string[] {
  return path.length < deepest ? [...path, part] : path;
}

function id(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** What a quoted key says; one with an escape that JSON does not know is left as it is. */
function plain(raw: string): string {
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
