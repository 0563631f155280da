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
  const parts = changes?.map(({ added, removed, value }) => ({
    of: added ? ("after" as const) : removed ? ("before" as const) : ("both" as const),
    text: value,
  }));
  if (parts !== undefined && isMostlyEqual(parts)) return parts;
  return [
    { of: "before", text: before },
    { of: "after", text: after },
  ];
}

/** Where less than half is equal, two whole texts are easier to read than their differences. */
function isMostlyEqual(parts: readonly ChangedPart[]): boolean {
  const chars = (of: ChangedPart["of"]) =>
    parts.reduce((sum, part) => sum + (part.of === of ? part.text.replaceAll(/\s/g, "").length : 0), 0);
  return chars("both") >= Math.max(chars("before"), chars("after"));
}

/** What is kept of an equal part at the beginning of a text, and beside a difference. */
const BEGINNING = 60;
const CONTEXT = 24;

/** The parts with long equal ones cut between words, so that the differences are in view. */
export function foldedParts(parts: readonly ChangedPart[]): readonly ChangedPart[] {
  return parts.map(({ of, text }, index) => {
    const headChars = index === 0 ? BEGINNING : CONTEXT;
    const tailChars = index === parts.length - 1 ? 0 : CONTEXT;
    if (of !== "both" || parts.length === 1 || text.length <= headChars + tailChars + 8) return { of, text };
    const head = text.slice(0, headChars).replace(/\S*$/, "");
    const tail = tailChars === 0 ? "" : text.slice(-tailChars).replace(/^\S*\s/, "");
    return { of, text: `${head}… ${tail}` };
  });
}
