type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a terminal shows more than plain letters: it is not dumb, and speaks UTF-8. */
export function canDraw(env: Environment): boolean {
  return env["TERM"] !== "dumb" && supportsUtf8(env);
}

/** As the C library reads it: the first that is set decides. One that says nothing is taken for the usual. */
export function supportsUtf8(env: Environment): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  return locale === undefined || /utf-?8/i.test(locale);
}
