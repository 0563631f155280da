/** The options of git's commands that only read (see `OptionSpec`), by what they are about. */
const output = `--stat? --shortstat --numstat --dirstat? --name-only --name-status --summary --patch --no-patch --raw
  --patch-with-stat --color? --no-color --word-diff? --color-words? --color-moved? --compact-summary --full-index
  --abbrev? --abbrev-commit --no-abbrev-commit --oneline --graph --decorate? --no-decorate --format: --pretty? --date:
  --relative? --relative-date --no-prefix --src-prefix: --dst-prefix: --line-prefix: --null --porcelain?
  --short --long
  --verbose --quiet --exit-code --check --no-ext-diff --no-textconv --show-signature --notes? --no-notes --cc
  --combined-all-paths --encoding: --no-renames --ws-error-highlight:`;
const comparison = `--cached --staged --merge-base --minimal --patience --histogram --diff-algorithm:
  --ignore-space-change  --ignore-all-space --ignore-blank-lines --ignore-space-at-eol --ignore-cr-at-eol
  --ignore-submodules? --find-renames?
  --find-copies? --find-copies-harder --diff-filter: --unified? --inter-hunk-context: --function-context --text
  --binary
  --submodule? --pickaxe-all --pickaxe-regex --break-rewrites? --indent-heuristic --no-indent-heuristic`;
const selection = `--all --branches? --tags? --remotes? --follow --reverse --merges --no-merges --first-parent
  --since:
  --until: --after: --before: --author: --committer: --grep: --max-count: --skip: --topo-order --date-order
  --author-date-order --left-right --left-only --right-only --cherry-pick --cherry-mark --cherry --boundary
  --no-walk? --no-commit-id
  --full-history --simplify-merges --simplify-by-decoration --dense --sparse --ancestry-path --show-pulls --parents
  --children --count --not --all-match --invert-grep --regexp-ignore-case --extended-regexp --basic-regexp
  --fixed-strings --perl-regexp --walk-reflogs --merge --min-parents: --max-parents: --source --root
  --show-linear-break? --exclude: --glob: --objects --disk-usage`;
const listing = `--branch --untracked-files? --ignored? --show-stash --ahead-behind --no-ahead-behind --column?
  --no-column  --renames --others --exclude-standard --modified --deleted --stage --directory --error-unmatch
  --full-name --eol
  --unmerged --killed --line-porcelain --incremental --show-email --show-name --show-number --root --always --dirty?
  --contains? --no-contains? --merged? --no-merged? --sort: --points-at: --exact-match --match: --candidates: --heads
  --head --dereference --verify --abbrev-ref? --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir
  --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository
  --is-shallow-repository --show-object-format --git-path: --show-superproject-working-tree --list --show-current
  --numbered --summary --email --name-rev --refs: --no-undefined --tree --blob --octopus --independent --is-ancestor
  --fork-point --ignore-case --line-number --no-line-number --files-with-matches --files-without-match --word-regexp
  --only-matching --heading --break --show-function --recurse-submodules --no-index --ignore-revs-file<`;

export const readOnlyOptions: string = `-abcdefghijklmnopqrstuvwxzABCDEFGHIKMNPQRTUVWXYZ1 -# -S: -G: -L: -O< -nMCBUX?
  ${output} ${comparison}  ${selection} ${listing}`;

export const listingOptions = `-avrlq -n? --list --all --remotes --show-current --contains? --no-contains? --merged?
  --no-merged? --sort: --points-at: --verbose --format: --no-color --color? --column? --ignore-case`;

export const grepOptions = `-niIwlLcEFGPhHvoqapW -A: -B: -C: -e: -m: -# --ignore-case --line-number
  --files-with-matches
  --files-without-match --name-only --count --word-regexp --extended-regexp --basic-regexp --fixed-strings
  --perl-regexp
  --invert-match --only-matching --heading --break --show-function --function-context --cached --untracked --context:
  --after-context: --before-context: --max-depth: --and --or --not --all-match --color? --no-color --quiet --text
  --full-name --column --max-count: --no-index --exclude-standard`;
