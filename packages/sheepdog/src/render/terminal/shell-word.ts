/** Control characters and invisible characters. */
const notPlain = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A text quoted as one shell word: safe to print, and the same text when the user pastes it. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return notPlain.test(text) ? `$'${[...text].map(escaped).join("")}'` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Escaped for `$'…'` in bash and zsh. */
function escaped(character: string): string {
  if (character === "'" || character === "\\") return `\\${character}`;
  if (!notPlain.test(character)) return character;
  return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}
