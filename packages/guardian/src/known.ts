/** The parts that are known: what is undefined is left out, as JSON would. */
export function known<T extends object>(parts: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as ReturnType<typeof known<T>>; // the same parts, some of them left out
}
