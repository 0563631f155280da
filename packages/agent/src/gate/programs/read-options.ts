import type { Usage } from "./program-rule.ts";

const checksum = "-btz --binary --text --tag --zero --help --version";
const zipped = "-cdfklqvt#";

/** Programs that read the files they name, with the options they understand (see `OptionSpec`). */
export const fileReaders: Readonly<Record<string, string | Usage>> = {
  cat: "-AbeEnstTuv --number --number-nonblank --show-all --show-ends --show-tabs --squeeze-blank --show-nonprinting",
  head: "-n: -c: -qvz -# --lines: --bytes: --quiet --silent --verbose",
  tail: `-n: -c: -qvzfFr -# -s: --lines: --bytes: --quiet --silent --verbose --follow? --retry --pid:
    --sleep-interval:`,
  wc: "-clmwL --bytes --chars --lines --words --max-line-length --total:",
  ls: {
    options: `-aAbBcCdfFgGhHiklLmnNopqQrRsStTuUvwxXZ1@ -I: --all --almost-all --human-readable --recursive --reverse
      --color? --classify? --directory --size --sort: --time: --time-style: --group-directories-first --full-time
      --inode --numeric-uid-gid --no-group --si --width: --hide: --ignore: --format: --file-type --dereference`,
    follows: "-L --dereference -H",
  },
  nl: "-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w: --body-numbering: --number-width:",
  tac: "-br -s: --before --regex --separator:",
  rev: "-0",
  comm: "-123i -z --check-order --nocheck-order --output-delimiter: --total",
  join: "-i -a: -e: -j: -1: -2: -o: -t: -v: --header --check-order --nocheck-order",
  paste: "-d: -sz --delimiters: --serial",
  fold: "-bs -w: --width: --spaces --bytes",
  fmt: "-cstu -w: -p: --width: --split-only",
  expand: "-i -t: --tabs: --initial",
  unexpand: "-a -t: --tabs: --all --first-only",
  cmp: "-bls -n: -i: --quiet --silent --verbose --print-bytes --bytes:",
  diff: {
    options: `-abBcdeEiNnpqrstTuwy -C: -U: -x: -I: -F: -W: -# --brief --unified? --context? --recursive --new-file
    --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --side-by-side --color? --exclude:
    --strip-trailing-cr --suppress-common-lines --report-identical-files --text --label: --width: --minimal
    --no-dereference --left-column --normal --speed-large-files --show-c-function`,
    follows: "always",
  },
  sdiff: "-bBiIlsW -w: --ignore-case --suppress-common-lines",
  stat: "-Lftxs -c: -f: --format: --printf: --dereference --file-system --terse",
  du: {
    options: `-abBcDHhklLmPsSx0 -d: -t: --all --human-readable --summarize --max-depth: --total --apparent-size --si
      --exclude: --bytes --dereference --one-file-system --time? --threshold: --separate-dirs --block-size:`,
    follows: "-L --dereference -D -H",
  },
  od: "-abcdfiloxv -A: -j: -N: -S: -t: -w? --address-radix: --format: --skip-bytes: --read-bytes:",
  hexdump: "-bcCdovx -e: -n: -s: --canonical --length: --skip:",
  strings: "-a -n: -t: -e: --all --bytes: --radix: --encoding:",
  realpath: "-eLmPqsz -# --canonicalize-existing --canonicalize-missing --relative-to< --relative-base< --no-symlinks",
  readlink: "-femnqsvz --canonicalize --canonicalize-existing --no-newline",
  cksum: "-a: --algorithm: --untagged --base64",
  sum: "-rs",
  md5sum: checksum,
  sha1sum: checksum,
  sha224sum: checksum,
  sha256sum: checksum,
  sha384sum: checksum,
  sha512sum: checksum,
  b2sum: `${checksum} -l:`,
  md5: "-qr -s:",
  shasum: "-btUp -a: --algorithm: --binary --text",
  column: "-txenLd -s: -c: -o: -N: -R: --table --separator: --output-separator: --table-columns: --json",
  cut: `-nsz -b: -c: -d: -f: --bytes: --characters: --delimiter: --fields: --only-delimited --complement
    --output-delimiter:`,
  base64: "-dDi -w: -b: --decode --ignore-garbage --wrap:",
  base32: "-di -w: --decode",
  shuf: "-ezr -i: -n: --echo --input-range: --head-count: --repeat",
  tsort: "",
  look: { options: "-adf -t:", texts: 1 },
  iconv: "-cls -f: -t: --from-code: --to-code: --list",
  nm: "-aACDgnPprSu --defined-only --demangle? --dynamic --extern-only --size-sort --undefined-only",
  // -S and -l use the names of files in the debug information
  objdump: "-aCdDfhHpPrRstTxzw -j: -M: --demangle? --disassemble? --no-show-raw-insn --section: --syms",
  readelf: "-aAdehlnrsSuVW -x: --all --headers --symbols --sections --wide",
  size: "-ABdotx --format: --radix: --totals",
  zgrep: "-cEFhHilLnoqsvwx -A: -B: -C: -e: -m:",
  zcat: zipped,
  gzcat: zipped,
  bzcat: zipped,
  xzcat: zipped,
  zless: "-#",
  file: "-bchiklLNprsSvz0 -F: -e: --brief --mime --mime-type --mime-encoding --dereference --separator: --extension",
  tree: {
    options: `-adfilspughDFrtvxACnNqQSUcJX -L: -I: -P: -H: -T: --noreport --dirsfirst --gitignore --prune --du --si
      --filelimit: --charset: --sort? --inodes --device --matchdirs --ignore-case --filesfirst --metafirst`,
    follows: "-l",
  },
  uniq: {
    options: `-cdDiuz -f: -s: -w: -# --count --repeated --unique --ignore-case --all-repeated? --skip-fields:
      --skip-chars: --check-chars: --zero-terminated`,
    maxOperands: 1,
  },
  sort: `-bdfghiMnrRuVszcmC -k: -t: -S: -o> -T> --reverse --unique --numeric-sort --human-numeric-sort --version-sort
    --general-numeric-sort --random-sort --month-sort --ignore-case --ignore-leading-blanks --dictionary-order --stable
    --check? --merge --zero-terminated --key: --field-separator: --output> --temporary-directory> --parallel: --sort:
    --buffer-size: --ignore-nonprinting --debug`,
  grep: {
    options: `-abcEFGhHiIjlLnoPqrRsTUvVwxyzZ -A: -B: -C: -D: -d: -e: -f< -m: -# --recursive --dereference-recursive
      --ignore-case --no-ignore-case --line-number --count --files-with-matches --files-without-match --only-matching
      --invert-match --word-regexp --line-regexp --fixed-strings --extended-regexp --basic-regexp --perl-regexp --quiet
      --silent --no-messages --with-filename --no-filename --include: --exclude: --exclude-dir: --exclude-from<
      --regexp: --file< --max-count: --context: --after-context: --before-context: --color? --colour? --text
      --byte-offset
      --null --null-data --binary-files: --directories: --initial-tab --line-buffered --label: --help --version`,
    texts: 1,
    textOptions: "-e -f --regexp --file",
    follows: "-R --dereference-recursive",
  },
  fd: {
    options: `-HIuLpgFiasd0l -d: -t: -e: -E: -S: -c: -j: --hidden --no-ignore --unrestricted --follow --full-path --glob
      --fixed-strings --ignore-case --case-sensitive --absolute-path --max-depth: --min-depth: --type: --extension:
      --exclude: --size: --color: --print0 --list-details --changed-within: --changed-before: --max-results:`,
    texts: 1,
    follows: "-L --follow",
  },
  rg: {
    options: `-abcFhHiIlLnNopPqsSuUvVwxz0. -A: -B: -C: -d: -e: -E: -f< -g: -j: -m: -M: -r: -t: -T: --files --hidden
      --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-global --type: --type-not: --glob: --iglob:
      --ignore-case
      --smart-case --case-sensitive --line-number --no-line-number --count --count-matches --files-with-matches
      --files-without-match --word-regexp --line-regexp --fixed-strings --invert-match --only-matching --multiline
      --multiline-dotall --pcre2 --max-count: --max-depth: --maxdepth: --context: --after-context: --before-context:
      --heading --no-heading --with-filename --no-filename --color: --colors: --column --no-column --json --vimgrep
      --sort: --sortr: --stats --trim --null --null-data --replace: --regexp: --file< --max-columns: --text --quiet
      --unrestricted --follow --no-messages --type-list --passthru --pretty --max-filesize: --engine: --encoding:
      --crlf --debug --one-file-system --no-config --threads: --version --help --block-buffered --line-buffered
      --glob-case-insensitive --ignore-file< --context-separator: --path-separator: --include-zero --no-follow`,
    texts: 1,
    textOptions: "-e -f --regexp --file --files --type-list",
    follows: "-L --follow",
  },
};

/** Programs whose operands are no files, with the options they understand. */
export const textReaders: Readonly<Record<string, string | Usage>> = {
  basename: "-az -s: --multiple --suffix: --zero",
  dirname: "-z --zero",
  seq: "-w -f: -s: -# --equal-width --format: --separator:",
  uname: "-amnrspvio --all --kernel-name --machine --kernel-release --operating-system",
  tr: "-cCdst --complement --delete --squeeze-repeats --truncate-set1",
  which: "-as --all",
  type: "-aftpP",
  whoami: "",
  id: "-aGgnruz --user --group --groups --name --real",
  groups: "",
  hostname: { options: "-adfiIsAy --fqdn --short --ip-address", maxOperands: 0 },
  uptime: "-ps --pretty --since",
  free: "-bkmghtlvw -c: -s: --human --total --mega --giga --wide --si",
  df: "-ahHiklmPTx -B: -t: --human-readable --inodes --total --type: --local --output? --si --all --print-type",
  nproc: "--all --ignore:",
  arch: "",
  tty: "-s",
  who: { options: "-abdHlmpqrstTuw", maxOperands: 0 },
  users: { options: "--help", maxOperands: 0 },
  w: "-hsfoi",
  lscpu: "-abcpJ -e? --json --extended? --parse?",
  lsblk: "-abdflmnJtp -o: --json --output:",
  locale: "-am --all-locales --charmaps",
  getconf: "-a",
  cal: "-13jmsyw -A: -B:",
  tput: "-T:",
  sw_vers: "",
  vmstat: "-afmnsdtwS",
  jobs: "-lnprs",
  pgrep: "-afilnovx -d: -u: -U: -g: -P: -s: -t: --full --list-name --list-full --newest --oldest --count --exact",
  times: "",
};
