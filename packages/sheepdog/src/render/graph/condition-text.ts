import type { EdgeCondition } from "@sheepdog/agent";
import { plainText } from "../terminal/plain-text.ts";

/** Characters of a value that an output is compared with. */
const MAX_VALUE_CHARS = 60;

/** The condition of an edge on one line: `when verdict = "ok"`; undefined for the default, a success. */
export function conditionText(when: EdgeCondition | undefined): string | undefined {
  if (when === undefined || when === "success") return undefined;
  if (when === "failure") return "on failure";
  if (when === "always") return "in any case";
  const output = plainText(when.output);
  if ("equals" in when) return `when ${output} = ${quoted(when.equals)}`;
  if ("notEquals" in when) return `when ${output} != ${quoted(when.notEquals)}`;
  return `when ${output} contains ${quoted(when.contains)}`;
}

function quoted(value: string): string {
  const text = plainText(value);
  const characters = [...text];
  return `"${characters.length > MAX_VALUE_CHARS ? `${characters.slice(0, MAX_VALUE_CHARS).join("")}...` : text}"`;
}
