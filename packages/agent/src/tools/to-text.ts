import { plainData } from "./plain-data.ts";

/** Any value as text that a model can read. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  const data = plainData(value);
  return typeof data === "string" ? data : JSON.stringify(data, undefined, 1);
}

/** Why something failed, from whatever was thrown. */
export function thrownText(thrown: unknown): string {
  if (thrown === undefined || thrown === null) return `it gave no reason (it threw ${String(thrown)})`;
  const data = plainData(thrown);
  if (
    typeof data === "object" &&
    data !== null &&
    "message" in data &&
    typeof data["message"] === "string" &&
    data["message"] !== ""
  )
    return data["message"];
  return typeof data === "string" ? data : JSON.stringify(data);
}
