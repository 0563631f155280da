/** Whether nobody can change a value, nor anything in it. */
export function cannotChange(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (!Object.isFrozen(value)) return false;
  for (const name in value) if (!cannotChange(value[name as keyof typeof value])) return false; // one of its keys
  return true;
}
