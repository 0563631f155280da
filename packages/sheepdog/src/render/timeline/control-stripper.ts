/** Removes control sequences from a text that arrives in pieces. */
export interface ControlStripper {
  push(piece: string): string;
}

type State = "text" | "escape" | "sequence" | "string" | "string-escape";

const ESC = "\u001b";
const BEL = "\u0007";
/** Characters. A longer sequence is treated as text. */
const MAX_SEQUENCE_LENGTH = 64;

/** Invisible characters, and characters that hide or reorder their neighbours. */
const hidden =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
/** All control characters except line breaks and tabs. */
const control = /[^\P{Cc}\n\t]/u;

/** Line breaks and tabs stay. An unterminated sequence ends with its line, so that it cannot remove later lines. */
export function createControlStripper(): ControlStripper {
  let state: State = "text";
  let length = 0;

  function take(character: string): string {
    length += 1;
    if (character === "\n" || (state === "sequence" && length > MAX_SEQUENCE_LENGTH)) return inText(character);
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
      let plain = "";
      for (const character of piece) plain += take(character);
      return plain;
    },
  };
}

function isPlain(piece: string): boolean {
  return !control.test(piece) && !hidden.test(piece);
}
