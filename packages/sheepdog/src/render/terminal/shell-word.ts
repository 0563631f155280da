/** What a terminal would obey, and what nobody sees. */
const notPlain = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A text as one word of a command that people copy: safe to print, and the same text when it is pasted. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return notPlain.test(text) ? `$'${[...text].map(escaped).join("")}'` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** As bash and zsh read it between `$'` and `'`. */
function escaped(character: string): string {
  if (character === "'" || character === "\\") return `\\${character}`;
  if (!notPlain.test(character)) return character;
  return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}
