/** Variables that commands of a project read and that do not change which program runs. */
const harmlessNames: ReadonlySet<string> = new Set(
  [
    "CI COLUMNS DEBUG FORCE_COLOR NO_COLOR TERM TZ LANG LANGUAGE NODE_ENV PORT LOG_LEVEL RUST_BACKTRACE RUST_LOG",
    "CARGO_TERM_COLOR PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED VITEST_MAX_WORKERS",
  ].flatMap((names) => names.split(" ")),
);

/** Whether setting a variable cannot change which program runs; false for PATH, LD_PRELOAD, IFS, GIT_PAGER etc. */
export function isFreeVariable(name: string): boolean {
  if (harmlessNames.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  return (
    /^[a-z][a-z\d_]*$/.test(name) &&
    !/proxy|^(?:path|cdpath|fpath)$|^(?:npm|pip|git|yarn|pnpm)_|^histchars$|^auto_resume$/.test(name)
  );
}
