import { plainData } from "./plain-data.ts";

/** Any value as text that a model can read. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  const data = plainData(value);
  return typeof data === "string" ? data : JSON.stringify(data, undefined, 1);
}

/** The message of whatever was thrown. */
export function thrownText(thrown: unknown): string {
  if (thrown === undefined || thrown === null) return `it gave no reason (it threw ${String(thrown)})`;
  const data = plainData(thrown);
  if (typeof data === "string") return data;
  const message = typeof data === "object" && data !== null && "message" in data ? data["message"] : undefined;
  return typeof message === "string" && message !== "" ? message : JSON.stringify(data);
}
