import type { Key, KeyName } from "./key.ts";

const ESC = "\u001b";
const CTRL_C = "\u0003";
const pasteStart = `${ESC}[200~`;
const pasteEnd = `${ESC}[201~`;
const sequence = new RegExp(`^${ESC}(?:\\[\\[?[0-9;:?<=>]*[ -/]*[@-~]|O[0-9]?[A-Za-z])`);
const unfinished = new RegExp(`^${ESC}(?:\\[[0-9;:?<=>]*[ -/]*|O[0-9]?)?$`);
/** Some terminals put these in front of a key that is pressed with Alt. */
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

/** Turns what a terminal sends into keys, in pieces of any size. */
export interface KeyReader {
  /** The keys that are complete. */
  read(chunk: string): readonly Key[];
  /** Whether something is left that may be the beginning of more: an Escape key, if nothing follows soon. */
  readonly isWaiting: boolean;
  /** Nothing follows: what is left is taken as it is. */
  flush(): readonly Key[];
}

/** Begins with nothing. */
export function createKeyReader(): KeyReader {
  let rest = "";
  let pasted: string | undefined; // what has come of a paste that goes on

  const readPaste = (): Key | undefined => {
    const text = (pasted ?? "") + rest;
    const end = text.indexOf(pasteEnd);
    if (end === -1) {
      pasted = text; // its end may be cut in two as well, so all of it is looked at again
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
    const found = sequence.exec(rest)?.[0];
    if (found !== undefined) return take(found.length, nameOf(found));
    if (unfinished.test(rest)) return undefined;
    const second = rest[1] ?? "";
    const alt = altKeys[second];
    if (alt === undefined && /\p{Cc}/u.test(second)) return take(1, "escape"); // two keys, read late and so at once
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
      if (pasted !== undefined && chunk === CTRL_C) pasted += pasteEnd; // the end of the paste was lost on the way, and nothing else would ever be heard
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

/** Undefined for what is not understood: it is no text either. */
function nameOf(found: string): KeyName | undefined {
  const last = found.at(-1) ?? "";
  const [code = "", modifier = "1"] = found.slice(2, -1).split(";");
  const isModified = Number(modifier) > 1;
  if (last === "u" || (last === "~" && code === "27")) return reported(found);
  const name = last === "~" ? numbers[code] : letters[last];
  if (isModified && name === "left") return "word-left";
  if (isModified && name === "right") return "word-right";
  return name;
}

/** Keys that a terminal reports with their modifiers: Enter with Shift is a new line, with Alt it steers. */
function reported(found: string): KeyName | undefined {
  const [code, modifier] = found.endsWith("u")
    ? found.slice(2, -1).split(";")
    : found.slice(5, -1).split(";").reverse();
  if (code !== "13") return code === "27" ? "escape" : undefined;
  const held = Number(modifier ?? 1) - 1;
  if ((held & 2) !== 0) return "alt-enter";
  return held === 0 ? "enter" : "newline";
}
