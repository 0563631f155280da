import type { JsonObject } from "../trajectory/json-fields.ts";

/** Whether half of these lines, and one at all, pass a test: some lines of a file may be foreign or damaged. */
export function areMost(lines: readonly JsonObject[], isOfFormat: (line: JsonObject) => boolean): boolean {
  const count = lines.filter(isOfFormat).length;
  return count > 0 && count * 2 >= lines.length;
}
