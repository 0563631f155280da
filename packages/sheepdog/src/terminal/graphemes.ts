const segmenter = new Intl.Segmenter();
/** Longer than any character people write. */
const PIECE = 256;

/** The characters of a text as people see them, one after the other. In pieces: the time `Intl.Segmenter` takes grows with the square of the length. */
export function* graphemes(text: string): Generator<string, void> {
  let from = 0;
  while (from < text.length) {
    const isCut = from + PIECE < text.length && /[\ud800-\udbff]/.test(text[from + PIECE - 1] ?? ""); // in the middle of a code point
    const piece = text.slice(from, from + PIECE - (isCut ? 1 : 0));
    let last = "";
    for (const { segment } of segmenter.segment(piece)) {
      if (last !== "") yield last;
      from += last.length;
      last = segment;
    }
    if (from + last.length < text.length && last.length < piece.length) continue; // it may go on in the next piece
    yield last;
    from += last.length;
  }
}
