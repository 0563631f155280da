import { isDeepStrictEqual } from "node:util";
import { getNodeValue, type Node } from "jsonc-parser";
import type { Edited } from "./edited.ts";
import { findOurHooks, type OurHook } from "./find-our-hooks.ts";
import type { HookShape } from "./hook-shape.ts";
import { insertLast, oneLine } from "./json-text/insert-last.ts";
import { layoutOf } from "./json-text/layout.ts";
import { propertiesNamed, propertyOf, readJson } from "./json-text/read-json.ts";
import { withoutHook } from "./remove-hooks.ts";

/**
 * Adds our hook to each event of a settings text. Earlier hooks of ours are replaced where they are, other people's are
 * not touched and keep their positions, by which Codex knows which ones its user trusts.
 */
export function addHooks(content: string, shape: HookShape): Edited {
  let text = content.trim() === "" ? "{}\n" : content;
  for (;;) {
    const json = readJson(text);
    if (!json.ok) return json;
    const problem = problemOf(text, json.root, shape);
    if (problem !== undefined) return { ok: false, problem };
    const next = nextEdit(text, json.root, shape);
    if (next === undefined) return { ok: true, text };
    text = next;
  }
}

/** The first thing that is missing or wrong, put right; undefined if all is as it should be. */
function nextEdit(text: string, root: Node, shape: HookShape): string | undefined {
  const layout = layoutOf(text, root);
  for (const [key, value] of Object.entries(shape.header))
    if (propertyOf(root, key) === undefined) return insertLast(text, root, { key, value }, layout);

  const ours = findOurHooks(root, shape);
  const extra = ours.find(
    (hook, index) => !shape.events.includes(hook.event) || isRepeated(hook, ours.slice(0, index)),
  );
  if (extra !== undefined) return withoutHook(text, extra);
  const outdated = ours.find(
    ({ event, handler }) => !isDeepStrictEqual({ ...getNodeValue(handler) }, shape.handler(event)),
  );
  if (outdated !== undefined) {
    const { offset, length } = outdated.handler;
    const value = shape.handler(outdated.event);
    const written = layout.isCompact ? JSON.stringify(value) : oneLine(value);
    return text.slice(0, offset) + written + text.slice(offset + length);
  }
  const missing = shape.events.find((event) => !ours.some((hook) => hook.event === event));
  if (missing === undefined) return undefined;

  const entry = shape.form === "flat" ? shape.handler(missing) : { hooks: [shape.handler(missing)] };
  const events = propertyOf(root, "hooks");
  if (events === undefined) {
    const value = { [missing]: [entry] };
    return insertLast(text, root, { key: "hooks", value, isExpanded: true }, layout);
  }
  const list = propertyOf(events, missing);
  if (list === undefined) return insertLast(text, events, { key: missing, value: [entry] }, layout);
  return insertLast(text, list, { value: entry }, layout);
}

function isRepeated({ event }: OurHook, earlier: readonly OurHook[]): boolean {
  return earlier.some((other) => other.event === event);
}

function problemOf(text: string, root: Node, { events, isStrict }: HookShape): string | undefined {
  if (isStrict && !isStrictJson(text)) return "has comments or trailing commas, which this agent does not read";
  const hooks = propertyOf(root, "hooks");
  const repeated = [...(propertiesNamed(root, "hooks").length > 1 ? ["hooks"] : [])];
  for (const event of events) if (propertiesNamed(hooks, event).length > 1) repeated.push(`hooks.${event}`);
  if (repeated.length > 0)
    return `has "${repeated[0]}" more than once; remove all but the last, which is the one in use`;
  if (hooks !== undefined && hooks.type !== "object") return `has "hooks" that is not an object`;
  const odd = events.find((event) => (propertyOf(hooks, event)?.type ?? "array") !== "array");
  return odd === undefined ? undefined : `has "hooks.${odd}" that is not a list`;
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
