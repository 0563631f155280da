/** The parts that are known: what is undefined or null is left out. */
export function known<T extends object>(parts: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Partial<T> = {};
  for (const name in parts) if (parts[name] !== undefined && parts[name] !== null) kept[name] = parts[name];
  return kept as ReturnType<typeof known<T>>; // the same parts, some of them left out
}
