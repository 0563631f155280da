import type { Edited } from "./edited.ts";
import { isOurCommand } from "./hook-shape.ts";
import { insertLast } from "./json-text/insert-last.ts";
import { layoutOf } from "./json-text/layout.ts";
import { propertiesNamed, propertyOf, readJson } from "./json-text/read-json.ts";
import { removeChild } from "./json-text/remove-child.ts";

const key = "statusLine";

/** Whose status line a settings text of Claude Code has. */
export function statusLineOwner(text: string): "nobody" | "sheepdog" | "user" {
  const json = readJson(text);
  const line = json.ok ? propertyOf(json.root, key) : undefined;
  if (line === undefined) return "nobody";
  return isOurCommand(propertyOf(line, "command")?.value, "status-line") ? "sheepdog" : "user";
}

/** Adds our status line unless there is one. */
export function addStatusLine(text: string, command: string): Edited {
  const json = readJson(text);
  if (!json.ok) return json;
  if (propertyOf(json.root, key) !== undefined) return { ok: true, text };
  const value = { type: "command", command };
  return { ok: true, text: insertLast(text, json.root, { key, value }, layoutOf(text, json.root)) };
}

/** Removes our status line, and no other. */
export function removeStatusLine(text: string): Edited {
  const json = readJson(text);
  if (!json.ok) return json;
  const property = propertiesNamed(json.root, key).at(-1);
  if (property === undefined || statusLineOwner(text) !== "sheepdog") return { ok: true, text };
  return { ok: true, text: removeChild(text, json.root, property) };
}
