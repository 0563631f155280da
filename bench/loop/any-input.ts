/** Schema fields of a tool that accepts any arguments. */
export const anyInput = {
  input: {
    "~standard": {
      version: 1,
      vendor: "bench",
      validate: (value: unknown): { readonly value: unknown } => ({ value }),
    },
  },
  jsonSchema: { type: "object" },
} as const;
