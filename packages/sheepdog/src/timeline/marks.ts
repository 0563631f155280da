/** Signs that a terminal can show. */
export interface Marks {
  readonly good: string;
  readonly bad: string;
  readonly bar: string;
  readonly prompt: string;
  readonly more: string;
}

const drawn: Marks = { good: "✓", bad: "✗", bar: "┃", prompt: "❯", more: "…" };
const typed: Marks = { good: "ok", bad: "x", bar: "|", prompt: ">", more: "..." };

/** Plain letters where the terminal is dumb or does not speak UTF-8. */
export function marksFor(env: Readonly<Record<string, string | undefined>>): Marks {
  return env["TERM"] === "dumb" || !isUtf8(env) ? typed : drawn;
}

/** As the C library reads it: the first that is set decides. One that says nothing is taken for the usual. */
function isUtf8(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  return locale === undefined || /utf-?8/i.test(locale);
}
