import type { Conversation } from "../conversation.ts";

/** The tool of the peers: returns the result of a turn and counts its calls. */
export interface ReadTool {
  readonly execute: (input: { readonly path: string }) => Promise<string>;
  calls(): number;
}

export function createReadTool({ turns }: Conversation): ReadTool {
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
