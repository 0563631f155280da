/** Whether a value is data, as JSON has it, that nobody can change. */
export function cannotChange(value: unknown): boolean {
  if (typeof value !== "object")
    return typeof value !== "bigint" && typeof value !== "function" && typeof value !== "symbol";
  if (value === null) return true;
  if (!Object.isFrozen(value)) return false;
  if (Array.isArray(value)) return canNoneChange(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) if (!cannotChange(value[name as keyof typeof value])) return false; // one of its keys
  return true;
}

function canNoneChange(values: readonly unknown[]): boolean {
  for (let place = 0; place < values.length; place += 1) if (!cannotChange(values[place])) return false;
  return true;
}
