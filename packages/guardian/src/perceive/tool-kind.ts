/**
 * What a call does to the world.
 * `think` changes the agent's own notes only (thoughts, plans, to-do lists): its success is no progress.
 * `move` moves a view, a cursor or a program: scroll, next page, step, click. The same move again leads elsewhere.
 * `unknown` is not a write, for example a shell command whose words do not tell what it does.
 */
export const toolKinds = ["read", "mutate", "poll", "wait", "send", "think", "move", "unknown"] as const;
export type ToolKind = (typeof toolKinds)[number];

/** Whether a call of this kind changes the world. */
export function isWrite(kind: ToolKind): boolean {
  return kind === "mutate" || kind === "send";
}
