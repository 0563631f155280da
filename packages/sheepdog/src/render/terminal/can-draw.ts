type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a terminal can show more than ASCII: `TERM` is not `dumb`, and the locale is UTF-8. */
export function canDraw(env: Environment): boolean {
  return env["TERM"] !== "dumb" && supportsUtf8(env);
}

/** Whether the locale is UTF-8. As in the C library, the first variable that is set decides; the default is UTF-8. */
export function supportsUtf8(env: Environment): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  return locale === undefined || /utf-?8/i.test(locale);
}
