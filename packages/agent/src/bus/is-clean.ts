import { isSecretName, type Mask } from "./mask-deep.ts";

const maxDepth = 16;

/** Whether a value is plain data that `maskDeep` would leave as it is. False where that is not seen at a glance. */
export function isClean(value: unknown, mask: Mask, depth = 0): boolean {
  switch (typeof value) {
    case "string":
      return mask(value) === value;
    case "number":
    case "boolean":
      return true;
    case "object":
      return value === null || (depth < maxDepth && isCleanObject(value, mask, depth));
    default:
      return false;
  }
}

function isCleanObject(value: object, mask: Mask, depth: number): boolean {
  if (Array.isArray(value)) {
    for (const item of value) if (!isClean(item, mask, depth + 1)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name of Object.keys(value)) {
    if (isSecretName(name) || mask(name) !== name || !isClean(value[name as keyof typeof value], mask, depth + 1)) return false; // one of its own keys
  }
  return true;
}
