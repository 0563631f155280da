/** A part of two texts: of both, or of one of them. */
export interface ChangedPart {
  readonly of: "both" | "before" | "after";
  readonly text: string;
}

const MAX_EDITS = 400;
const MAX_MS = 100;

/** Compares two texts word by word. Loads the library for comparing texts. */
export async function textChange(before: string, after: string): Promise<readonly ChangedPart[]> {
  if (before === after) return [{ of: "both", text: before }];
  const { diffWordsWithSpace } = await import("diff");
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS, timeout: MAX_MS });
  if (changes === undefined)
    return [
      { of: "before", text: before },
      { of: "after", text: after },
    ];
  return changes.map(({ added, removed, value }) => ({
    of: added ? "after" : removed ? "before" : "both",
    text: value,
  }));
}

/** What is kept of an equal part beside a difference. */
const CONTEXT = 24;

/** The parts with long equal ones cut, so that the differences are in view. */
export function foldedParts(parts: readonly ChangedPart[], context: number = CONTEXT): readonly ChangedPart[] {
  return parts.map(({ of, text }, index) => {
    const isFirst = index === 0;
    const isLast = index === parts.length - 1;
    if (of !== "both" || text.length <= 2 * context + 4 || parts.length === 1) return { of, text };
    const head = isFirst ? "" : text.slice(0, context);
    const tail = isLast ? "" : text.slice(-context);
    return { of, text: `${head} … ${tail}` };
  });
}
