/** Whether two values are the same plain data, field by field in the same order. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && areSame(one, other);
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const names = Object.keys(one);
  if (!areSame(names, Object.keys(other))) return false;
  for (const name of names) if (!isSameData(Reflect.get(one, name), Reflect.get(other, name))) return false;
  return true;
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false;
  for (let place = 0; place < some.length; place += 1) if (!isSameData(some[place], others[place])) return false;
  return true;
}
