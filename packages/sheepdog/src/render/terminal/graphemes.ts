const segmenter = new Intl.Segmenter();
/** Longer than any character people write. */
const PIECE = 256;
/** Letters that are characters by themselves, unless something is put on top of the last: those that texts mostly consist of. */
const simple =
  /[\x20-\x7e\u00c0-\u02af\u0391-\u03ff\u0410-\u044f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]{0,1024}/y;

/** The characters of a text as people see them, one after the other. In pieces: the time `Intl.Segmenter` takes grows with the square of the length. */
export function* graphemes(text: string): Generator<string, void> {
  let from = 0;
  while (from < text.length) {
    simple.lastIndex = from;
    simple.test(text);
    const until = simple.lastIndex === text.length ? text.length : simple.lastIndex - 1; // the last may go on
    while (from < until) {
      yield text[from] ?? "";
      from += 1;
    }
    if (from === text.length) return;
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
