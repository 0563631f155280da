import type { Key, KeyName } from "./key.ts";

const ESC = "\u001b";
const CTRL_C = "\u0003";
const pasteStart = `${ESC}[200~`;
const pasteEnd = `${ESC}[201~`;
const sequence = new RegExp(`^${ESC}(?:\\[\\[?[0-9;:?<=>]*[ -/]*[@-~]|O[0-9]?[A-Za-z])`);
const unfinished = new RegExp(`^${ESC}(?:\\[[0-9;:?<=>]*[ -/]*|O[0-9]?)?$`);
/** Keys pressed with Alt, which arrive as Escape followed by the key. */
const altKeys: Readonly<Record<string, KeyName>> = {
  "\r": "alt-enter",
  "\n": "alt-enter",
  "\u007f": "alt-backspace",
  b: "word-left",
  f: "word-right",
};
const letters: Readonly<Record<string, KeyName>> = { A: "up", B: "down", C: "right", D: "left", H: "home", F: "end" };
const numbers: Readonly<Record<string, KeyName>> = {
  "1": "home",
  "3": "delete",
  "4": "end",
  "5": "page-up",
  "6": "page-down",
  "7": "home",
  "8": "end",
};
const controlKeys: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "newline",
  "\t": "tab",
  "\b": "backspace",
  "\u007f": "backspace",
};

/** Parses the input of a terminal, which arrives in chunks of any size, into keys. */
export interface KeyReader {
  /** Returns the keys that are complete. */
  read(chunk: string): readonly Key[];
  /** Whether the input may be the beginning of a sequence. If nothing follows soon, it was the Escape key. */
  readonly isWaiting: boolean;
  /** Returns the keys of the remaining input, when nothing follows. */
  flush(): readonly Key[];
}

/** Creates a reader without pending input. */
export function createKeyReader(): KeyReader {
  let rest = "";
  let pasted: string | undefined; // the text so far of an unfinished paste

  const readPaste = (): Key | undefined => {
    const text = (pasted ?? "") + rest;
    const end = text.indexOf(pasteEnd);
    if (end === -1) {
      pasted = text; // the end marker may be split, so the whole text is searched again
      rest = "";
      return undefined;
    }
    pasted = undefined;
    rest = text.slice(end + pasteEnd.length);
    return { type: "paste", text: text.slice(0, end) };
  };

  const next = (): Key | undefined => {
    if (pasted !== undefined) return readPaste();
    if (rest.startsWith(pasteStart)) {
      rest = rest.slice(pasteStart.length);
      pasted = "";
      return readPaste();
    }
    if (!rest.startsWith(ESC)) return plain();
    const escapeSequence = sequence.exec(rest)?.[0];
    if (escapeSequence !== undefined) return take(escapeSequence.length, sequenceName(escapeSequence));
    if (unfinished.test(rest)) return undefined;
    const second = rest[1] ?? "";
    const alt = altKeys[second];
    if (alt === undefined && /\p{Cc}/u.test(second)) return take(1, "escape"); // two keys in one chunk
    return take(2, alt);
  };

  const take = (length: number, name: KeyName | undefined): Key => {
    rest = rest.slice(length);
    return name === undefined ? { type: "text", text: "" } : { type: "press", name };
  };

  const plain = (): Key | undefined => {
    const text = /^\P{Cc}+/u.exec(rest)?.[0];
    if (text !== undefined) {
      rest = rest.slice(text.length);
      return { type: "text", text };
    }
    const first = rest[0] ?? "";
    return take(1, controlKeys[first] ?? controlName(first));
  };

  const readAll = (): Key[] => {
    const keys: Key[] = [];
    while (rest !== "") {
      const key = next();
      if (key === undefined) break;
      if (key.type !== "text" || key.text !== "") keys.push(key);
    }
    return keys;
  };

  return {
    read(chunk) {
      if (pasted !== undefined && chunk === CTRL_C) pasted += pasteEnd; // the end marker was lost; Ctrl-C must work
      rest += chunk;
      return readAll();
    },
    get isWaiting() {
      return rest !== "";
    },
    flush() {
      if (!rest.startsWith(ESC)) return readAll();
      rest = rest.slice(1);
      return [{ type: "press", name: "escape" }, ...readAll()];
    },
  };
}

function controlName(character: string): KeyName {
  return `ctrl-${String.fromCharCode((character.codePointAt(0) ?? 0) + 96)}`;
}

/** Undefined for an unknown sequence, which is ignored. */
function sequenceName(escapeSequence: string): KeyName | undefined {
  const last = escapeSequence.at(-1) ?? "";
  const [code = "", modifier = "1"] = escapeSequence.slice(2, -1).split(";");
  const isModified = Number(modifier) > 1;
  if (last === "u" || (last === "~" && code === "27")) return modifiedKeyName(escapeSequence);
  const name = last === "~" ? numbers[code] : letters[last];
  if (isModified && name === "left") return "word-left";
  if (isModified && name === "right") return "word-right";
  return name;
}

/** Keys that a terminal reports with modifiers: Shift-Enter is a new line, Alt-Enter steers. */
function modifiedKeyName(escapeSequence: string): KeyName | undefined {
  const [code, modifier] = escapeSequence.endsWith("u")
    ? escapeSequence.slice(2, -1).split(";")
    : escapeSequence.slice(5, -1).split(";").reverse();
  if (code !== "13") return code === "27" ? "escape" : undefined;
  const modifierBits = Number(modifier ?? 1) - 1;
  if ((modifierBits & 2) !== 0) return "alt-enter";
  return modifierBits === 0 ? "enter" : "newline";
}
