/** Whether nobody can change a value, nor anything in it. */
export function cannotChange(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (!Object.isFrozen(value)) return false;
  if (Array.isArray(value)) return value.every(cannotChange);
  for (const name in value) if (!cannotChange(value[name as keyof typeof value])) return false; // one of its keys
  return true;
}
