/** Whether a path, as its components, is one that a pattern means. */
export type GlobMatch = (components: readonly string[]) => boolean;

const mostAlternatives = 256;

/**
 * Understands `*` and `?` within a component, `**` for any number of components, `[a-z]`, `[!a-z]` and `{a,b}`. Undefined where the pattern has too many
 * alternatives. Matching takes at most time in proportion to pattern times path.
 */
export function globMatch(pattern: string): GlobMatch | undefined {
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return undefined;
  const patterns = alternatives.map((each) =>
    each
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      .map(componentPattern),
  );
  return (components) => patterns.some((parts) => matchesPath(parts, components));
}

/** One character of a component's pattern. */
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

/** Row by row: which prefixes of the path the parts so far can stand for. */
function matchesPath(parts: readonly Part[], components: readonly string[]): boolean {
  let reached = [true, ...components.map(() => false)];
  for (const part of parts) {
    let isBehind = false;
    reached = reached.map((isReached, place) => {
      if (part === "any depth") {
        isBehind ||= isReached;
        return isBehind;
      }
      return place > 0 && reached[place - 1] === true && matchesComponent(part, components[place - 1] ?? "");
    });
  }
  return reached.at(-1) === true;
}

/** Goes back to the last star only, so that no pattern makes it slow. */
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
    const next = expanded.flatMap((each) => firstBrace(each) ?? [each]);
    if (next.length > mostAlternatives) return undefined;
    if (next.length === expanded.length && next.every((each, place) => each === expanded[place])) return next;
    expanded = next;
  }
  return undefined;
}

/** The alternatives of the first innermost braces; none where there are no braces with a comma. */
function firstBrace(pattern: string): string[] | undefined {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (found === null) return undefined;
  const [whole, inner = ""] = found;
  return inner
    .split(",")
    .map((each) => pattern.slice(0, found.index) + each + pattern.slice(found.index + whole.length));
}
