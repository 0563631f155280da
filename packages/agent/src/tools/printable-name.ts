const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A name on one line: control characters, direction overrides and the like are written as escapes. */
export function printableName(name: string): string {
  return name.replace(unprintable, (character) =>
    character === "\n" ? "\\n" : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
