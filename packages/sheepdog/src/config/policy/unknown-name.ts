import { closestName } from "@sheepdog/guardian";

/** A sentence about a name that does not exist, with the valid one it most resembles, or all of them. */
export function unknownName(what: "key" | "detector", name: string, valid: readonly string[]): string {
  const near = closestName(name, valid);
  return `unknown ${what} "${name}"; ${near === undefined ? `valid are ${valid.join(", ")}` : `did you mean "${near}"?`}`;
}
