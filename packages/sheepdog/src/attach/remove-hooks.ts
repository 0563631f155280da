import type { Edited } from "./edited.ts";
import { findOurHooks, type OurHook } from "./find-our-hooks.ts";
import type { HookShape } from "./hook-shape.ts";
import { propertiesNamed, propertyOf, readJson } from "./json-text/read-json.ts";
import { removeChild } from "./json-text/remove-child.ts";

/**
 * Removes our hooks from a settings text, and the lists that this leaves empty unless `before`, the text from before
 * they were added, has them too.
 */
export function removeHooks(content: string, shape: HookShape, before: string): Edited {
  let text = content;
  for (;;) {
    const json = readJson(text);
    if (!json.ok) return json;
    const [hook] = findOurHooks(json.root, shape);
    if (hook === undefined) return { ok: true, text };
    text = withoutEmpty(withoutHook(text, hook), hook.event, before);
  }
}

/** The text without this hook; without its group if the group has no other. */
export function withoutHook(text: string, { list, handler, group }: OurHook): string {
  if (group === undefined) return removeChild(text, list, handler);
  const isOnly = group.handlers.children?.length === 1;
  return isOnly ? removeChild(text, list, group.node) : removeChild(text, group.handlers, handler);
}

function withoutEmpty(content: string, event: string, before: string): string {
  let text = content;
  for (const path of [["hooks", event], ["hooks"]] as const) {
    const json = readJson(text);
    if (!json.ok || hasProperty(before, path)) return text;
    const [key, inner] = path;
    const parent = inner === undefined ? json.root : propertyOf(json.root, key);
    const property = propertiesNamed(parent, inner ?? key).at(-1);
    const value = property?.children?.[1];
    if (parent === undefined || property === undefined || value === undefined || !isEmpty(text, value)) return text;
    text = removeChild(text, parent, property);
  }
  return text;
}

/** Whether there is nothing between the brackets, not even a comment. */
function isEmpty(text: string, { offset, length }: { readonly offset: number; readonly length: number }): boolean {
  return text.slice(offset + 1, offset + length - 1).trim() === "";
}

function hasProperty(text: string, [key, inner]: readonly [string, string?]): boolean {
  const json = readJson(text);
  if (!json.ok) return false;
  const value = propertyOf(json.root, key);
  return inner === undefined ? value !== undefined : propertyOf(value, inner) !== undefined;
}
