/** Characters that are shown as `<`. */
const OPENING = /[<＜﹤]/;
/** Characters that are not visible: joiners, direction marks, combining marks, fillers. */
const INVISIBLE = /[\p{Cf}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u;
const SPACE = /\s/;
/** The longest name that is searched for, with the slash. */
const MAX_NAME = 40;

/** Letters of other alphabets that look like ours, and dashes. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ а: "a", в: "b", с: "c", ԁ: "d", е: "e", һ: "h", і: "i", ј: "j", к: "k", м: "m", о: "o", р: "p", ѕ: "s" },
    ...{ т: "t", у: "y", х: "x", ո: "n", ս: "u", α: "a", ε: "e", ι: "i", ν: "v", ο: "o", ρ: "p", τ: "t", υ: "u" },
    ...{ "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "﹘": "-", _: "-", "∕": "/", "⁄": "/", "╱": "/" },
  }),
);

/**
 * Escapes the `<` of tags whose name matches, so that text from elsewhere cannot use them. `names` is matched against
 * the plain form of what follows the `<`: without invisible characters, in lower case, with `-` for every dash and
 * underscore. Takes linear time.
 */
export function escapeForgedTags(text: string, names: RegExp): string {
  let escaped = "";
  let done = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (!OPENING.test(text.charAt(index)) || !names.test(plainName(text, index + 1))) continue;
    escaped += `${text.slice(done, index)}&lt;`;
    done = index + 1;
  }
  return done === 0 ? text : escaped + text.slice(done);
}

/** The beginning of a tag in its plain form. It ends at the next `<`, so no character is read twice. */
function plainName(text: string, start: number): string {
  let name = "";
  for (let index = start; index < text.length && name.length < MAX_NAME; ) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    if (OPENING.test(character)) return name === "" ? "<" : name;
    index += character.length;
    const isBeforeName = name === "" || name === "/";
    if (INVISIBLE.test(character) || (isBeforeName && SPACE.test(character))) continue;
    name += plainCharacter(character);
  }
  return name;
}

function plainCharacter(character: string): string {
  const plain = character.normalize("NFKC").toLowerCase();
  return lookAlikes.get(plain) ?? plain;
}
