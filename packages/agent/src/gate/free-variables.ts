/** Variables that commands of the project read and that change nothing about which program runs. */
const known: ReadonlySet<string> = new Set(
  "CI COLUMNS DEBUG FORCE_COLOR NO_COLOR TERM TZ LANG LANGUAGE NODE_ENV PORT LOG_LEVEL RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED VITEST_MAX_WORKERS".split(
    " ",
  ),
);

/** Whether a variable can be set without changing what the commands after it are: PATH, LD_PRELOAD, IFS, GIT_PAGER and their kind are not among them. */
export function isFreeVariable(name: string): boolean {
  if (known.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  return (
    /^[a-z][a-z\d_]*$/.test(name) &&
    !/proxy|^(?:path|cdpath|fpath)$|^(?:npm|pip|git|yarn|pnpm)_|^histchars$|^auto_resume$/.test(name)
  );
}
