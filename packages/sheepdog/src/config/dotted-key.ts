/** A path as written in TOML: parts separated by dots, in quotes if they need them. */
export function dottedKey(path: readonly string[]): string {
  return path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

/** A path as written in sentences: `fallback_models[0].provider`. */
export function shownKey(path: readonly string[]): string {
  return path.reduce(
    (key, part) =>
      key !== "" && /^\d+$/.test(part) ? `${key}[${part}]` : `${key}${key === "" ? "" : "."}${dottedKey([part])}`,
    "",
  );
}

/** Parses a dotted key, whose quoted parts may contain dots. Undefined if the text is not a key. */
export function readDottedKey(text: string): readonly string[] | undefined {
  const path: string[] = [];
  let rest = text.trim();
  for (;;) {
    const match = /^(?:"(?<basic>(?:[^"\\]|\\.)*)"|'(?<literal>[^']*)'|(?<bare>[^\s."'=]+))\s*(?<more>\.?)\s*/.exec(
      rest,
    );
    if (match?.groups === undefined) return undefined;
    const { basic, literal, bare, more } = match.groups;
    const part = literal ?? bare ?? unescaped(basic ?? "");
    if (part === undefined) return undefined;
    path.push(part);
    rest = rest.slice(match[0].length);
    if (more === "") return rest === "" ? path : undefined;
  }
}

/** TOML has the escapes of JSON and a few more, which no key needs. */
function unescaped(basic: string): string | undefined {
  try {
    const text: unknown = JSON.parse(`"${basic}"`);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
