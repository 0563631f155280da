/** Equal for calls with the same tool and the same arguments, in any order. */
export function callKey({ tool, input }: { readonly tool: string; readonly input: unknown }): string {
  return JSON.stringify([tool, input], (_, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
