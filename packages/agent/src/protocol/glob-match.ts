/** Whether the components of a path match a pattern. */
export type GlobMatch = (components: readonly string[]) => boolean;

const maxAlternatives = 256;

/**
 * Compiles a glob pattern: `*` and `?` within a component, `**` for any number of components, `[a-z]`, `[!a-z]` and
 * `{a,b}`. Returns undefined when the braces have too many alternatives. Matching takes at most time proportional to
 * the length of the pattern times the length of the path.
 */
export function globMatch(pattern: string): GlobMatch | undefined {
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return undefined;
  const patterns = alternatives.map((alternative) =>
    alternative
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      .map(componentPattern),
  );
  return (components) => patterns.some((parts) => matchesPath(parts, components));
}

/** Matches any characters (`star`) or exactly one. */
type Glyph = { readonly type: "star" } | { readonly type: "one"; matches(character: string): boolean };
type Part = "any depth" | readonly Glyph[];

function componentPattern(part: string): Part {
  if (part === "**") return "any depth";
  const glyphs: Glyph[] = [];
  const characters = Array.from(part);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const end = character === "[" ? characters.indexOf("]", at + 2) : -1;
    if (character === "*") glyphs.push({ type: "star" });
    else if (character === "?") glyphs.push({ type: "one", matches: () => true });
    else if (end !== -1) {
      glyphs.push({ type: "one", matches: characterClass(characters.slice(at + 1, end)) });
      at = end;
    } else glyphs.push({ type: "one", matches: (other) => other === character });
  }
  return glyphs;
}

function characterClass(characters: readonly string[]): (character: string) => boolean {
  const isNegated = characters[0] === "!" || characters[0] === "^";
  const members = isNegated ? characters.slice(1) : characters;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const low = members[at] ?? "";
    const high = members[at + 1] === "-" ? members[at + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) at += 2;
  }
  return (character) => ranges.some(([low, high]) => character >= low && character <= high) !== isNegated;
}

/** Dynamic programming: `reached[n]` tells whether the parts so far match the first n components. */
function matchesPath(parts: readonly Part[], components: readonly string[]): boolean {
  let reached = [true, ...components.map(() => false)];
  for (const part of parts) {
    let isReachable = false;
    reached = reached.map((isReached, count) => {
      if (part === "any depth") {
        isReachable ||= isReached;
        return isReachable;
      }
      return count > 0 && reached[count - 1] === true && matchesComponent(part, components[count - 1] ?? "");
    });
  }
  return reached.at(-1) === true;
}

/** Backtracks to the last star only, so that no pattern is slow. */
function matchesComponent(glyphs: readonly Glyph[], name: string): boolean {
  const characters = Array.from(name);
  let glyph = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < characters.length) {
    const next = glyphs[glyph];
    if (next?.type === "star") {
      star = glyph++;
      starAt = at;
    } else if (next?.matches(characters[at] ?? "") === true) {
      glyph++;
      at++;
    } else if (star !== -1) {
      glyph = star + 1;
      at = ++starAt;
    } else return false;
  }
  return glyphs.slice(glyph).every(({ type }) => type === "star");
}

function expandBraces(pattern: string): readonly string[] | undefined {
  let expanded = [pattern];
  for (let round = 0; round < 32; round++) {
    const next = expanded.flatMap((alternative) => expandFirstBraces(alternative) ?? [alternative]);
    if (next.length > maxAlternatives) return undefined;
    if (next.length === expanded.length && next.every((alternative, index) => alternative === expanded[index]))
      return next;
    expanded = next;
  }
  return undefined;
}

/** Expands the first innermost braces; undefined when no braces contain a comma. */
function expandFirstBraces(pattern: string): string[] | undefined {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (match === null) return undefined;
  const [braces, inner = ""] = match;
  return inner
    .split(",")
    .map((alternative) => pattern.slice(0, match.index) + alternative + pattern.slice(match.index + braces.length));
}
