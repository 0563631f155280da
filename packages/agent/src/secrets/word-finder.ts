/** Finds out whether a text holds one of some words, in one pass over it. */
export interface WordFinder {
  /** Whether one of the words stands in the text between two places, in whatever case. In a long text a character beyond ASCII may be taken for one of a word. */
  isIn(text: string, from: number, to: number): boolean;
}

/** A finder for words of ASCII. */
export function createWordFinder(words: readonly string[]): WordFinder {
  return new Automaton(words);
}

/** The automaton of Aho and Corasick. A state is the longest end of what was read that a word begins with; its row tells which state comes with which character. */
class Automaton implements WordFinder {
  private readonly next: Uint16Array;
  private readonly longest: number;

  constructor(words: readonly string[]) {
    const starts = startsOf(words);
    this.next = new Uint16Array(starts.length * row);
    this.longest = Math.max(...words.map(({ length }) => length));
    for (const [place, start] of starts.entries()) {
      if (place * row !== found) this.fill(place * row, start, { starts, words });
    }
  }

  isIn(text: string, from: number, to: number): boolean {
    if (to - from > shortText) return this.isInLong(text, from, to);
    const { next } = this;
    let state = 0;
    for (let place = from; place < to; place += 1) {
      const code = text.charCodeAt(place);
      state = code < row ? (next[state + code] ?? 0) : 0;
      if (state === found) return true;
    }
    return false;
  }

  /** A character of a string costs more than a step does: a long text is copied to where they are at hand. */
  private isInLong(text: string, from: number, to: number): boolean {
    for (let start = from; start < to; start += bytes.length - this.longest + 1) {
      if (this.isInBytes(bytes.write(text.slice(start, Math.min(to, start + bytes.length)), "latin1"))) return true;
    }
    return false;
  }

  /** Reads both halves at once: while the next state of one is looked up, so is that of the other. */
  private isInBytes(length: number): boolean {
    const { next } = this;
    const half = Math.floor(length / 2);
    let first = 0;
    let second = 0;
    for (let place = 0; place < half; place += 1) {
      first = next[first + ((bytes[place] ?? 0) & ascii)] ?? 0;
      second = next[second + ((bytes[half + place] ?? 0) & ascii)] ?? 0;
      if (first === found || second === found) return true;
    }
    return this.goesOn(second, half * 2, length) || this.goesOn(first, half, Math.min(length, half + this.longest - 1));
  }

  private goesOn(state: number, from: number, to: number): boolean {
    let now = state;
    for (let place = from; place < to; place += 1) {
      now = this.next[now + ((bytes[place] ?? 0) & ascii)] ?? 0;
      if (now === found) return true;
    }
    return false;
  }

  /** What goes on with no word goes on as from the next shorter end, whose row is filled. */
  private fill(
    state: number,
    start: string,
    { starts, words }: { readonly starts: readonly string[]; readonly words: readonly string[] },
  ): void {
    const shorter = row * nextShorter(start, starts);
    this.next.copyWithin(state, shorter, shorter + row);
    for (const word of words) {
      if (!word.startsWith(start)) continue;
      const read = word.slice(0, start.length + 1);
      const after = read === word ? found : row * starts.indexOf(read);
      for (const code of [read.toLowerCase(), read.toUpperCase()].map((cased) => cased.charCodeAt(start.length)))
        if (this.next[state + code] !== found) this.next[state + code] = after;
    }
  }
}

const shortText = 64;
/** The bytes of a long text, or a piece of it. */
const bytes = Buffer.alloc(8_192);
/** A row has a place for each character of ASCII; states are counted in rows. */
const row = 128;
/** What of a byte has a place. */
const ascii = row - 1;
/** The state in which a whole word was read. */
const found = row;

/** What was read in each state, the shorter first: nothing in the first; the second is `found`. */
function startsOf(words: readonly string[]): readonly string[] {
  const starts = words.flatMap((word) => Array.from(word.slice(1), (_, place) => word.slice(0, place + 1)));
  return ["", "\0", ...[...new Set(starts)].sort((one, other) => one.length - other.length)];
}

function nextShorter(start: string, starts: readonly string[]): number {
  for (let from = 1; from < start.length; from += 1) {
    const place = starts.indexOf(start.slice(from));
    if (place > 0) return place;
  }
  return 0;
}
