import type { Conversation } from "../conversation.ts";

/** The tool that peers are given: looks a file up, and counts how often it was asked. */
export function createReader({ turns }: Conversation): {
  readonly execute: (input: { readonly path: string }) => Promise<string>;
  calls(): number;
} {
  const results = new Map(turns.map(({ path, result }) => [path, result]));
  let calls = 0;
  return {
    async execute({ path }) {
      calls += 1;
      return results.get(path) ?? "";
    },
    calls: () => calls,
  };
}
