/** A piece of a text; `isDifferent` if the other text has something else in its place. */
export interface Segment {
  readonly text: string;
  readonly isDifferent: boolean;
}

/** Words, numbers with their separators, spaces, and single other characters. */
const token = /\d[\d:.,]*\d|\d|[\p{L}_][\p{L}\p{N}_]*|\s+|./gsu;

/** Splits a text into tokens, so that a time, a number or a word differs as a whole. */
export function tokensOf(text: string): readonly string[] {
  return text.match(token) ?? [];
}

/** Lines and tokens. Longer texts are compared from their beginning. */
const MAX_SIZE = 400;

/** Marks what differs between two texts: line by line, then token by token within lines that correspond. */
export function markDifferences(a: string, b: string): readonly [readonly Segment[], readonly Segment[]] {
  const [linesA, linesB] = [a.split("\n"), b.split("\n")];
  const pairs = align(linesA.slice(0, MAX_SIZE), linesB.slice(0, MAX_SIZE), (x, y) => shape(x) === shape(y));
  const [left, right]: [Segment[], Segment[]] = [[], []];
  for (const [x, y] of withSimilarPairs(pairs)) {
    const [markedX, markedY] = x !== undefined && y !== undefined ? markTokens(`${x}\n`, `${y}\n`) : [[], []];
    left.push(...markedX);
    right.push(...markedY);
    if (y === undefined) left.push({ text: `${x ?? ""}\n`, isDifferent: true });
    if (x === undefined) right.push({ text: `${y ?? ""}\n`, isDifferent: true });
  }
  return [joined(left), joined(right)];
}

/** Pairs lines that stand in each other's place and share most of their words. */
function withSimilarPairs(pairs: readonly Pair[]): readonly Pair[] {
  const all: Pair[] = [];
  let [onlyA, onlyB]: [string[], string[]] = [[], []];
  const flush = () => {
    const paired = onlyA.length === onlyB.length && onlyA.every((line, index) => isSimilar(line, onlyB[index] ?? ""));
    if (paired) all.push(...onlyA.map((line, index): Pair => [line, onlyB[index]]));
    else all.push(...onlyA.map((line): Pair => [line, undefined]), ...onlyB.map((line): Pair => [undefined, line]));
    [onlyA, onlyB] = [[], []];
  };
  for (const [x, y] of pairs) {
    if (x !== undefined && y !== undefined) {
      flush();
      all.push([x, y]);
    } else if (x !== undefined) onlyA.push(x);
    else onlyB.push(y ?? "");
  }
  flush();
  return all;
}

function isSimilar(a: string, b: string): boolean {
  const wordsOf = (line: string) => tokensOf(line).filter((word) => word.trim() !== "");
  const [wordsA, wordsB] = [wordsOf(a), new Set(wordsOf(b))];
  const shared = wordsA.filter((word) => wordsB.has(word)).length;
  return shared >= Math.max(wordsA.length, wordsB.size) / 2;
}

/** A line without its numbers: lines of the same shape correspond. */
function shape(line: string): string {
  return line.replace(/\d+/g, "0");
}

function markTokens(a: string, b: string): readonly [readonly Segment[], readonly Segment[]] {
  if (a === b) return [[{ text: a, isDifferent: false }], [{ text: b, isDifferent: false }]];
  const pairs = align(tokensOf(a).slice(0, MAX_SIZE), tokensOf(b).slice(0, MAX_SIZE), (x, y) => x === y);
  const [left, right]: [Segment[], Segment[]] = [[], []];
  for (const [x, y] of pairs) {
    const isDifferent = x === undefined || y === undefined;
    if (x !== undefined) left.push({ text: x, isDifferent });
    if (y !== undefined) right.push({ text: y, isDifferent });
  }
  return [left, right];
}

/** Neighbours of the same kind as one segment. A line end is never marked. */
function joined(segments: readonly Segment[]): readonly Segment[] {
  const all: { text: string; isDifferent: boolean }[] = [];
  for (const { text, isDifferent } of segments) {
    const last = all.at(-1);
    if (last !== undefined && last.isDifferent === isDifferent) last.text += text;
    else all.push({ text, isDifferent });
  }
  const last = all.at(-1);
  if (last !== undefined) last.text = last.text.replace(/\n$/, "");
  return all.filter(({ text }) => text !== "");
}

type Pair = readonly [string | undefined, string | undefined];

/** The longest common sequence of two lists, with what only one of them has in its place. */
function align(
  a: readonly string[],
  b: readonly string[],
  isEqual: (x: string, y: string) => boolean,
): readonly Pair[] {
  let head = 0;
  const shorter = Math.min(a.length, b.length);
  while (head < shorter && isEqual(a[head] ?? "", b[head] ?? "")) head += 1;
  let tail = 0;
  while (tail < shorter - head && isEqual(a.at(-1 - tail) ?? "", b.at(-1 - tail) ?? "")) tail += 1;
  const middle = alignMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), isEqual);
  const pairsOf = (from: number, count: number, offset: number): Pair[] =>
    Array.from({ length: count }, (_, index) => [a[from + index], b[from + index + offset]] as const);
  return [...pairsOf(0, head, 0), ...middle, ...pairsOf(a.length - tail, tail, b.length - a.length)];
}

function alignMiddle(
  a: readonly string[],
  b: readonly string[],
  isEqual: (x: string, y: string) => boolean,
): readonly Pair[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = isEqual(a[i] ?? "", b[j] ?? "") ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && isEqual(a[i] ?? "", b[j] ?? "")) pairs.push([a[i++], b[j++]]);
    else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) pairs.push([a[i++], undefined]);
    else pairs.push([undefined, b[j++]]);
  }
  return pairs;
}
