/** The score of a line, and the lines that have it. */
export interface LineRule {
  readonly score: number;
  readonly pattern: RegExp;
  /** Of several such lines the last is quoted, not the first. */
  readonly takesLast?: true;
}

/** A line that announces the line to quote. */
export interface HeaderRule {
  readonly score: number;
  readonly pattern: RegExp;
  /** The announced line: the next one that matches. */
  readonly announces: RegExp;
}

/** The score of a line with text that no rule matches. */
export const PLAIN_LINE = 1;

/** The score of a line that says nothing. It is quoted when there is no other. */
export const NOISE = 0;

/** Added to the score of a line of standard error, if the result labels it. */
export const STDERR_BONUS = 2;

const anyLine = /\S/;

/** Headers. In a Python traceback, indented lines are frames; what went wrong follows them. */
export const headerRules: readonly HeaderRule[] = [
  {
    score: 10,
    pattern: /^\s*(?:\S+ )?Traceback \(most recent call last\):/,
    announces: /^\s*[\w.]+(?:\[\w+\])?(?::(?!\d)|$)/,
  },
  { score: 10, pattern: /\bpanicked at \S.{0,200}:$/, announces: anyLine },
  { score: 10, pattern: /^CMake Error at .{0,200}:$/, announces: anyLine },
  { score: 6, pattern: /^\* What went wrong:$/, announces: anyLine },
];

/**
 * The rules in the order in which they are tried: the first that matches a line gives it its score.
 * Every pattern is linear: it starts at one place, or its repetitions are bounded.
 */
export const lineRules: readonly LineRule[] = [
  // Noise: banners, frames, warnings, hints, progress, counts, listings, exit codes.
  { score: NOISE, pattern: /^[^\p{L}]*$|^\S{40,}$/u },
  { score: NOISE, pattern: /^(?:> |\$ |#+ )/ },
  { score: NOISE, pattern: /^\s*(?:at |from \/|File "|\.\.\. \d+ more|Caused by:$|Stack trace:|goroutine \d)/ },
  { score: NOISE, pattern: /^\s*(?:=\s)?(?:\S{0,200}:\s)?\[?(?:warn(?:ing)?|note|notice|hint|help|info|debug)\b\]?/i },
  { score: NOISE, pattern: /^(?:npm|yarn|pnpm) warn\b|\b(?:warning|note) TS\d|deprecat/i },
  { score: NOISE, pattern: /^\s*\d+:\d+\s+warning\b/ },
  { score: NOISE, pattern: /^[[\]\d:TZ.,+/ -]{8,40}\[?(?:INFO|DEBUG|TRACE|WARN)/ },
  { score: NOISE, pattern: /\b(?:0|no) (?:errors?|failures?|failed|failing|problems?)\b/i },
  { score: NOISE, pattern: /^\W*(?:found )?\d+ (?:errors?|failed|failing|failures?|problems?)\b/i },
  { score: NOISE, pattern: /\.\.\.\s*(?:ok|done|passed|yes|no)$/i },
  { score: NOISE, pattern: /^\W*(?:the command )?(?:exit|return)(?:ed)?(?: with)?[ _-]?(?:code|status)?\W{1,3}\d/i },
  { score: NOISE, pattern: /^<\/?\w+>(?:\d+<\/\w+>)?$/ },
  { score: NOISE, pattern: /^\W{0,3}(?:stdout|stderr|output|standard (?:output|error))\W{0,4}$/i },
  { score: NOISE, pattern: /^(?:total \d+|[-dlbcps][-rwxsStT]{9}.{0,400})$/ },
  { score: NOISE, pattern: /^[\w@./-]+\.\w{1,8}$|^\s*\d+(?::\D|\s*\|)/ },
  { score: NOISE, pattern: /^\s*(?:ERROR: )?usage:|something went wrong|^\s*(?:throw |raise )/i },
  {
    score: NOISE,
    pattern: /\bnpm (?:error|ERR!) (?:code|errno|syscall|path|signal|command) |\bnpm (?:error|ERR!)\s*$/,
  },
  { score: NOISE, pattern: /\bnpm (?:error|ERR!) (?:Exit status|A complete log)/ },

  // Consequences: true, but another line says why.
  { score: 2, pattern: /^make(?:\[\d+\])?: \*\*\* \[|returned \d+ exit status|did not complete successfully: exit/ },
  {
    score: 2,
    pattern: /^\s*error:? (?:could not compile|test failed|failed to push|command failed|subprocess-exited)/i,
  },
  { score: 2, pattern: /^\W*(?:FAILURE: )?build failed|^\W*(?:Test Suites|Tests|Test Files):? |^FAILED \(/i },

  // What went wrong, in the form of a tool that is well known.
  { score: 8.5, pattern: /^\s*\{.{0,400}"(?:errors?|message|detail)"\s{0,8}:/ },
  { score: 10, pattern: /^FAILED \S.{0,300} - \S/ },
  { score: 10, pattern: /^panic: / },
  { score: 9.5, pattern: /^\s*Caused by: \S/, takesLast: true },
  { score: 9, pattern: /^E\s{2,}\S/ },
  { score: 9, pattern: /^Exception in thread .{0,300}\S: |^(?:PHP )?Fatal error: |^\*\* \(\w+\) / },
  { score: 9, pattern: /^error\[\w+\]: |\berror [A-Z]{1,6}\d+: / },
  { score: 9, pattern: /^\s*\S{1,300}(?::\d+|\(\d+,\d+\)):? (?:fatal |syntax )?error\b.{0,400}\S/i },
  { score: 9, pattern: /^\s+\w+_test\.go:\d+: \S/ },
  { score: 9, pattern: /\bpanicked at '/ },
  { score: 9, pattern: /: .{0,300} \([\w:]*(?:Error|Exception)\)$/ },
  { score: 9, pattern: /^(?:Module not found|\[error\] \S{1,200}): \w*Error: / },
  { score: 9, pattern: /^\W*(?:Uncaught |Unhandled |Error: )?[\w.$]{0,100}(?:Error|Exception)(?: \[\w+\])?:\s+\S/ },
  { score: 8.5, pattern: /^\s*! \[(?:remote )?rejected\]|^\s*Failure\/Error: / },
  { score: 8, pattern: /^\s*\d+:\d+\s+error\s/ },
  { score: 6, pattern: /^\S{1,300}:\d+:\d+:? [CIRW]\d{4}: / },
  { score: 8, pattern: /^\S{1,300}:\d+:\d+:? [A-Z]+\d+:? / },
  { score: 8, pattern: /^[[\]\d:TZ.,+/ -]{8,40}\[?(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC)\b/ },
  { score: 6, pattern: /^\s*error: [\w-]+$/ },
  { score: 8, pattern: /^\s*(?:fatal|error|E|e|curl|CONFLICT)(?::| \()\s*\S/i },
  { score: 8, pattern: /^Error from server|^ERROR \d+ \(|^\(error\) / },
  { score: 8, pattern: /^[\w./-]{1,200}: (?:fatal |regex )?error: \S/i },
  { score: 8, pattern: /^(?:Fehler|Erreur|Errore|Error de|Erro|Ошибка|错误|エラー)\s?[:：]/ },
  { score: 8, pattern: /^make(?:\[\d+\])?: \*\*\* / },
  { score: 8, pattern: /\bundefined reference to\b|\bassertion\b.{0,200}\bfailed\b/i },
  { score: 8, pattern: /command not found|: (?:no such file|permission denied|not a directory|is a directory)/i },
  {
    score: 8,
    pattern: /\b(?:unbound variable|syntax error near|segmentation fault|no space left|connection refused)\b/i,
  },
  { score: 7, pattern: /^\.{0,2}[\w@./-]{1,200}\.\w{1,8}:\d+:\d+[: ]/ },
  { score: 7, pattern: /^HTTP\/[\d.]+ [45]\d\d/ },
  { score: 7, pattern: /^(?:FAIL|ERROR): \S/ },
  { score: 6.5, pattern: /^\s*● \S/ },
  { score: 6, pattern: /(?:^|[\s>])[45]\d\d [A-Z][a-z]+(?: [A-Z][a-z]+){0,4}(?=$|\W)/ },
  { score: 6, pattern: /^found \d+ match|\bERR_[A-Z]/i },
  // A heading: what went wrong follows.
  { score: 3, pattern: /\b(?:error|exception|fail)\w*\b[^:]{0,80}:\s*$|\b(?:errors|exceptions|failures)\b/i },
  { score: 4, pattern: /^(?:FAIL|ERROR|✕|✖|✘|×|\s+[✕✖✘×→]) / },

  // The words of failures in any tool.
  {
    score: 5,
    pattern: new RegExp(
      [
        "error|exception|fail|not found|no such|invalid|denied|cannot|can't|unable|refused|timed? ?out|unauthori",
        "forbidden|missing|unknown|undefined|fatal|unexpected|required|reject|already (?:exists|in use)",
        "(?:could|did|does|do|must|is|was|has) ?n(?:ot|'t)|n(?:o|')t (?:allowed|permitted|supported|available|exist)",
        "not defined|aborted|exceeded|killed|violat|conflict|unrecognized|mismatch",
      ].join("|"),
      "i",
    ),
  },
  { score: 4, pattern: /\bnpm (?:error|ERR!) \S/ },
];
