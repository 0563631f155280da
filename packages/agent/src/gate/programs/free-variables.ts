import { anyWord, wordList } from "../risk/word-list.ts";

/** Variables that commands of a project read and that do not change which program runs. */
const harmlessNames: ReadonlySet<string> = new Set(
  wordList(`
    CI COLUMNS LINES DEBUG FORCE_COLOR NO_COLOR CLICOLOR TERM TZ LANG LANGUAGE NODE_ENV PORT HOST LOG_LEVEL
    RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONHASHSEED VITEST_MAX_WORKERS
    NODE_NO_WARNINGS GIT_TERMINAL_PROMPT
  `),
);

/** Parts of the names of variables that name a program, a library, its options or where they are looked for. */
const loadingNames = new RegExp(
  anyWord(String.raw`
    PATH OPTIONS OPTS?$ FLAGS PROXY PRELOAD EDITOR PAGER SHELL CONFIG CONF$ WRAPPER COMMAND CMD BROWSER HOME$ PLUGIN
    HOOK STARTUP INIT RC$ LIBRARY LOADER LAUNCHER INTERPRETER ^ENV$ ^IFS$ ^PS\d$ ^CC$ ^CXX$ ^CPP$ ^LD ^DYLD ^AR$ ^AS$
    ^RUSTC ^RUSTDOC ^CARGO ^GO[A-Z]+$ ^GIT_ ^SSH_ ^NODE_ ^NPM_ ^YARN ^PNPM ^PIP_ ^UV_ ^PYTHON ^PERL ^RUBY ^GEM_
    ^BUNDLE ^JAVA ^_JAVA ^JDK ^CLASS ^MAVEN ^GRADLE ^BASH ^ZDOTDIR ^LESS ^MAN ^TAR_ ^TAPE$ ^ZIP ^UNZIP ^GZIP ^XZ_ ^BZIP
    ^AWK ^GAWK ^GREP ^RIPGREP ^JQ_ ^MAKE ^GNUMAKE ^TMP ^TEMP ^GLIBC ^MALLOC ^GCONV ^LOC ^NLS ^RES_ ^HOSTALIASES
    ^OPENSSL ^SSL ^CURL ^WGET ^DOCKER ^KUBE ^AWS ^XDG ^DBUS ^TERMINFO ^INPUTRC ^GLOBIGNORE ^EXECIGNORE ^FUNCNEST
    ^POSIX ^OPTIND ^OPTERR ^UID$ ^EUID$ ^PPID$ ^PWD$ ^OLDPWD$ ^USER$ ^LOGNAME$ ^MAIL ^PROMPT ^QUOTING ^TIME ^LS_
    ^RANDOM$ ^SRANDOM$ ^SECONDS$ ^LINENO$ ^EPOCH ^REPLY$ ^DIRSTACK$ ^FUNCNAME$ ^GROUPS$ ^SHLVL$ ^PIPESTATUS$ ^RM$
    ^CP$ ^MV$ FMT$ TOOLCHAIN BINARY _BIN$ ^NINJA$ _CC$ _CXX$ EXEC _ROOT$ OVERRIDE REGISTRY OUTPUT DEPENDENCIES ^MIX_
    ^COMPOSER ^COREPACK BAZEL _ARGS$ ^DEBUGINFOD ^BC_ ^SUDO ^VISUAL$ ^TCL ^LUA ^PHP ^R_ ^JULIA ^COMPILER ^CPATH ^GCC
    ^MAGIC ^HIST ^CDPATH ^SIGN ^MVNW ^TS_NODE_(?!PROJECT$) ^COVERAGE_ ^JUST_ ^PW_ ^PLAYWRIGHT ^CCACHE ^PIPENV
    ^TOX_ ^LLVM_ ^FC$ ^LEX$ ^YACC$ ^CUSTOM ^MSBUILD ^DOTNET ^SIMPLE_BACKUP
  `),
);

/** Whether a variable is known not to change what any program does. */
export function isHarmlessVariable(name: string): boolean {
  if (harmlessNames.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  return (
    /^[a-z][a-z\d_]*$/.test(name) &&
    !/proxy|^(?:path|cdpath|fpath)$|^(?:npm|pip|git|yarn|pnpm|uv)_|^histchars$|^auto_resume$/.test(name)
  );
}

/**
 * Whether code of the project may get this variable. It runs with the same rights in any case; only variables that
 * could make it, or the shell, start or load something else are refused.
 */
export function isFreeVariable(name: string): boolean {
  return isHarmlessVariable(name) || (/^[A-Z][A-Z\d_]*$/.test(name) && !loadingNames.test(name));
}

/**
 * The same with the value: one with spaces or operators may be a command that the code runs, and one that leads out of
 * the workspace a program or a setting that it loads.
 */
export function isFreeForCode(name: string, value: string): boolean {
  if (harmlessNames.has(name)) return true;
  return isFreeVariable(name) && /^[\w.,:@%+=/?&-]*$/.test(value) && !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(value);
}
