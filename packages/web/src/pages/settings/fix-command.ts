/** A sentence that says how to mend something, split at the command in it. */
export interface Fix {
  readonly text: string;
  /** What can be copied into a terminal; undefined if there is no command. */
  readonly command: string | undefined;
}

/** Finds the command in a fix: the whole of it, or what follows a colon or "Run". */
export function readFix(fix: string): Fix {
  const found =
    /^(?<text>.*?(?::|\b[Rr]un)\s+)?(?<command>(?:sheepdog|npm|npx|sudo|brew|apt|export|chmod|ollama)\s\S.*)$/s.exec(
      fix,
    );
  if (found?.groups === undefined) return { text: fix, command: undefined };
  return { text: (found.groups["text"] ?? "").trim(), command: (found.groups["command"] ?? "").replace(/\.$/, "") };
}
