import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const maxMatches = 1_000;
const maxVisits = 20_000;

/** The text as a pattern that matches only itself. */
export function escapePattern(text: string): string {
  return text.replace(/[\\*?]/g, "\\$&");
}

/**
 * The paths that a file pattern of the shell matches in a folder; undefined when there are too many to look at. In a
 * pattern `*` stands for any characters, `?` for one, and `\` makes the next character literal.
 */
export function matchingPaths(folder: string, pattern: string): readonly string[] | undefined {
  const budget = { visits: maxVisits };
  let found: readonly string[] = [pattern.startsWith("/") ? "/" : ""];
  for (const component of pattern.split("/").filter((part) => part !== "")) {
    const next: string[] = [];
    for (const parent of found) {
      const matches = matchComponent(folder, parent, component, budget);
      if (matches === undefined || next.length + matches.length > maxMatches) return undefined;
      next.push(...matches);
    }
    found = next;
  }
  return found.filter((path) => path !== "");
}

/** Whether a name matches a pattern without `/`; a leading dot must be written out. */
function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !/^\\?\./.test(pattern)) return false;
  return matchesText(pattern, name);
}

/** Whether the whole text matches: in linear memory, and in at most pattern × text steps. */
export function matchesText(pattern: string, text: string): boolean {
  const tokens = pattern.match(/\\[\s\S]|[\s\S]/g) ?? [];
  let at = 0;
  let token = 0;
  let starToken = -1;
  let starAt = 0;
  while (at < text.length) {
    const current = tokens[token];
    if (current === "*") {
      starToken = token;
      starAt = at;
      token += 1;
    } else if (current !== undefined && (current === "?" || literalOf(current) === text[at])) {
      token += 1;
      at += 1;
    } else if (starToken >= 0) {
      token = starToken + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === "*");
}

const literalOf = (token: string): string => (token.length > 1 ? token.slice(1) : token);

function matchComponent(
  folder: string,
  parent: string,
  component: string,
  budget: { visits: number },
): readonly string[] | undefined {
  const hasWildcard = /[*?]/.test(component.replace(/\\[\s\S]/g, ""));
  const inParent = (name: string) => (parent === "" || parent.endsWith("/") ? parent + name : `${parent}/${name}`);
  if (!hasWildcard) {
    const path = inParent(component.replace(/\\([\s\S])/g, "$1"));
    return exists(absolute(folder, path)) ? [path] : [];
  }
  const names = namesIn(absolute(folder, parent));
  budget.visits -= names.length;
  if (budget.visits < 0) return undefined;
  return names.filter((name) => matchesName(component, name)).map(inParent);
}

const absolute = (folder: string, path: string): string => (path.startsWith("/") ? path : join(folder, path));

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // below a file, or not readable
  }
}

/** The names in a folder; none if it is not a folder or cannot be read: the shell finds nothing there either. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
