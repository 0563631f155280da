import type { Checkpoint } from "../stores.ts";

/** A checkpoint as JSON. The guardian's state never changes, and shares most of its parts with the one before: the text of a part is made once. */
export function checkpointJson({ guardian, ...rest }: Checkpoint): string {
  let parts = "";
  for (const [name, part] of Object.entries(guardian)) {
    if (part !== undefined) parts += `${parts === "" ? "" : ","}"${name}":${Array.isArray(part) ? listJson(part) : JSON.stringify(part)}`;
  }
  return `${JSON.stringify(rest).slice(0, -1)},"guardian":{${parts}}}`;
}

const made = new WeakMap<object, string>();

function listJson(list: readonly unknown[]): string {
  let items = "";
  for (const item of list) items += `${items === "" ? "" : ","}${itemJson(item)}`;
  return `[${items}]`;
}

function itemJson(item: unknown): string {
  if (typeof item !== "object" || item === null) return JSON.stringify(item);
  const known = made.get(item);
  if (known !== undefined) return known;
  const json = JSON.stringify(item);
  made.set(item, json);
  return json;
}
