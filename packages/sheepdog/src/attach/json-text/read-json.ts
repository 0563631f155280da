import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** The tree of a JSON text, or a sentence about why there is none. */
export type ReadJson = { readonly ok: true; readonly root: Node } | { readonly ok: false; readonly problem: string };

/** Reads JSON that may have comments and trailing commas, as settings that people write do. */
export function readJson(text: string): ReadJson {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    return { ok: false, problem: `is not valid JSON (line ${line}: ${words(printParseErrorCode(error.error))})` };
  }
  if (root?.type !== "object") return { ok: false, problem: "must be a JSON object" };
  return { ok: true, root };
}

/** `CommaExpected` as words. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** The value of a property. Of several with this name, JSON readers take the last. */
export function propertyOf(object: Node | undefined, key: string): Node | undefined {
  return propertiesNamed(object, key).at(-1)?.children?.[1];
}

/** All properties of an object with this name. */
export function propertiesNamed(object: Node | undefined, key: string): readonly Node[] {
  if (object?.type !== "object") return [];
  return (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
}
