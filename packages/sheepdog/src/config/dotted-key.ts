/** A path as people write it in TOML: dots between the parts, quotes around those that need them. */
export function dottedKey(path: readonly string[]): string {
  return path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

/** The same for sentences: `fallback_models[0].provider`. */
export function shownKey(path: readonly string[]): string {
  return path.reduce(
    (key, part) =>
      key !== "" && /^\d+$/.test(part) ? `${key}[${part}]` : `${key}${key === "" ? "" : "."}${dottedKey([part])}`,
    "",
  );
}

/** The path of a dotted key; parts in quotes may hold dots. Undefined where it is none. */
export function readDottedKey(text: string): readonly string[] | undefined {
  const path: string[] = [];
  let rest = text.trim();
  for (;;) {
    const found = /^(?:"(?<basic>(?:[^"\\]|\\.)*)"|'(?<literal>[^']*)'|(?<bare>[^\s."'=]+))\s*(?<more>\.?)\s*/.exec(
      rest,
    );
    if (found?.groups === undefined) return undefined;
    const { basic, literal, bare, more } = found.groups;
    const part = literal ?? bare ?? unescaped(basic ?? "");
    if (part === undefined) return undefined;
    path.push(part);
    rest = rest.slice(found[0].length);
    if (more === "") return rest === "" ? path : undefined;
  }
}

/** TOML escapes as JSON does, but for a few that no key needs. */
function unescaped(basic: string): string | undefined {
  try {
    const text: unknown = JSON.parse(`"${basic}"`);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
