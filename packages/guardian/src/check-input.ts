import { asRecord } from "./perceive/as-record.ts";
import { statuses } from "./perceive/print.ts";
import { toolKinds } from "./perceive/tool-kind.ts";
import { showValue } from "./policy/show-value.ts";

/** Throws a sentence about a call of the program that is not complete. */
export function checkPlannedCall(call: unknown): void {
  const { id, tool, kind } = asRecord(call);
  if (typeof id !== "string" || id === "")
    throw new TypeError(`Expected beforeCall() to get a call with an id, got ${showValue(id)}.`);
  if (typeof tool !== "string")
    throw new TypeError(`Expected beforeCall() to get a call with the name of its tool, got ${showValue(tool)}.`);
  if (kind !== undefined && !toolKinds.some((known) => known === kind))
    throw new RangeError(`Expected the kind of a call to be one of ${toolKinds.join(", ")}, got ${showValue(kind)}.`);
}

/** Throws a sentence about a result of the program with a wrong id or status. */
export function checkResult(id: unknown, result: unknown): void {
  if (typeof id !== "string")
    throw new TypeError(`Expected afterCall() to get the id of a call, got ${showValue(id)}.`);
  const { status } = asRecord(result);
  if (!statuses.some((known) => known === status))
    throw new RangeError(
      `Expected the status of a result to be one of ${statuses.join(", ")}, got ${showValue(status)}.`,
    );
}
