/** A text with the parts between backticks as code. Everything in it stays plain text. */
export function MarkedText({ text }: { readonly text: string }) {
  return <>{splitMarked(text).map((part) => (part.isCode ? <code>{part.text}</code> : part.text))}</>;
}

/** The parts of a text. A backtick without a partner is a character like others. */
export function splitMarked(text: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  return text
    .split(/(`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part) => {
      const isCode = part.length > 2 && part.startsWith("`") && part.endsWith("`");
      return { text: isCode ? part.slice(1, -1) : part, isCode };
    });
}
