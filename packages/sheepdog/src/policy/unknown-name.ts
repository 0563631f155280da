import { closestName } from "@sheepdog/guardian";

/** A sentence about a key that does not exist, with the valid one it most resembles, or all of them. */
export function unknownKey(key: string, valid: readonly string[]): string {
  const near = closestName(key, valid);
  return near === undefined ? `unknown key "${key}"; valid are ${valid.join(", ")}` : `unknown key "${key}"; did you mean "${near}"?`;
}
