/** A permission rule of the user. Of all rules that match, `deny` decides before `ask`, and `ask` before `allow`. */
export interface GateRule {
  /** The tool it is about; a glob such as `web_*`. */
  readonly tool: string;
  /**
   * A command of a shell, such as `npm publish *`. Each word is a glob for one argument; a final `*` stands for any
   * further arguments. It matches one simple command, never across `;`, `&&` or a pipe.
   */
  readonly command?: string | undefined;
  /** A glob for files, relative to the workspace, such as `docs/**`. */
  readonly path?: string | undefined;
  readonly decision: "allow" | "ask" | "deny";
}

/** A rule in a few words: `deny bash "git push *"`. */
export function ruleText({ tool, command, path, decision }: GateRule): string {
  const about = [command, path].flatMap((part) => (part === undefined ? [] : [`"${part}"`]));
  return [decision, tool, ...about].join(" ");
}
