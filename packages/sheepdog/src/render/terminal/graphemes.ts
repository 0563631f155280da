const segmenter = new Intl.Segmenter();
/** UTF-16 units. Longer than any character in real text. */
const PIECE_LENGTH = 256;
/** Common letters. Each is a grapheme by itself, unless a combining character follows. */
const simple =
  /[\x20-\x7e\u00c0-\u02af\u0391-\u03ff\u0410-\u044f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]{0,1024}/y;

/**
 * The characters of a text as the user sees them. Segments the text in pieces, because the time that `Intl.Segmenter`
 * takes grows with the square of the length.
 */
export function* graphemes(text: string): Generator<string, void> {
  let from = 0;
  while (from < text.length) {
    simple.lastIndex = from;
    simple.test(text);
    // A combining character may follow the last simple letter.
    const until = simple.lastIndex === text.length ? text.length : simple.lastIndex - 1;
    while (from < until) {
      yield text[from] ?? "";
      from += 1;
    }
    if (from === text.length) return;
    const splitsCodePoint = from + PIECE_LENGTH < text.length && isHighSurrogate(text[from + PIECE_LENGTH - 1] ?? "");
    const piece = text.slice(from, from + PIECE_LENGTH - (splitsCodePoint ? 1 : 0));
    let last = "";
    for (const { segment } of segmenter.segment(piece)) {
      if (last !== "") yield last;
      from += last.length;
      last = segment;
    }
    // The last segment may continue in the next piece.
    if (from + last.length < text.length && last.length < piece.length) continue;
    yield last;
    from += last.length;
  }
}

function isHighSurrogate(unit: string): boolean {
  return /[\ud800-\udbff]/.test(unit);
}
