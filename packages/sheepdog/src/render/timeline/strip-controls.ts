/** Takes everything out of a text that a terminal might obey, also where the text comes in pieces. */
export interface Stripper {
  push(piece: string): string;
}

type State = "text" | "escape" | "sequence" | "string" | "string-escape";

const ESC = "\u001b";
const BEL = "\u0007";
/** A sequence that goes on for longer is none. */
const LONGEST_SEQUENCE = 64;

/** Characters that nobody sees and that hide or turn around what stands beside them. */
const hidden =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
/** All control characters but line breaks and tabs. */
const control = /[^\P{Cc}\n\t]/u;

/** Line breaks and tabs stay; a sequence that never ends is over with its line, so that it cannot swallow what follows. */
export function createStripper(): Stripper {
  let state: State = "text";
  let length = 0;

  function take(character: string): string {
    length += 1;
    if (character === "\n" || (state === "sequence" && length > LONGEST_SEQUENCE)) return inText(character);
    switch (state) {
      case "text":
        return inText(character);
      case "escape":
        return inEscape(character);
      case "sequence":
        if (character >= " " && character <= "?") return "";
        if (character >= "@" && character <= "~") return enter("text");
        return inText(character);
      case "string":
        if (character === BEL || character === "\u009c") return enter("text");
        return character === ESC ? enter("string-escape") : "";
      case "string-escape":
        return character === "\\" ? enter("text") : inEscape(character);
      default:
        return state satisfies never;
    }
  }

  function enter(next: State): string {
    state = next;
    length = 0;
    return "";
  }

  function inText(character: string): string {
    enter("text");
    if (character === ESC) return enter("escape");
    if (character === "\u009b") return enter("sequence");
    if (/^[\u0090\u0098\u009d-\u009f]$/.test(character)) return enter("string");
    return isPlain(character) ? character : "";
  }

  function inEscape(character: string): string {
    if (character === ESC || (character >= " " && character <= "/")) return enter("escape");
    if (character === "[") return enter("sequence");
    return "]PX^_".includes(character) ? enter("string") : enter("text");
  }

  return {
    push(piece) {
      if (state === "text" && isPlain(piece)) return piece;
      let kept = "";
      for (const character of piece) kept += take(character);
      return kept;
    },
  };
}

function isPlain(piece: string): boolean {
  return !control.test(piece) && !hidden.test(piece);
}
