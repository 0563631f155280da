const lists = {
  shell: "bash sh dash env timeout nice nohup time true false test [ sleep which printenv",
  files:
    "ls cat head tail tac nl wc du df stat file tree find fd fdfind mkdir rmdir touch cp mv rm ln chmod mktemp tee",
  moreFiles: "truncate dd install readlink realpath basename dirname pwd diff cmp comm patch split xargs",
  text: "grep egrep fgrep rg sed awk gawk mawk nawk cut sort uniq tr column paste join fold fmt rev expand unexpand",
  moreText: "jq yq xxd od hexdump strings base64 base32 md5sum sha1sum sha256sum sha512sum b2sum cksum sum iconv tsort",
  values: "echo printf seq expr bc dc yes date cal factor numfmt shuf",
  archives: "tar gzip gunzip zcat bzip2 xz zip unzip zipinfo zgrep",
  machine: "whoami id groups uname hostname uptime ps pgrep top free nproc arch lscpu locale tty getconf logname users",
  git: "git git-submodule gettext envsubst",
  node: "node npm npx pnpm yarn bun corepack",
  python: "python python3 python3.11 pytest pip pip3 ruff black isort flake8 mypy coverage tox lsb_release getopt",
  c: "make cmake ctest ninja gcc g++ cc c++ clang gcc-12 g++-12 cc1 cc1plus as ld collect2 ar",
  binaries: "nm objdump size strip ldd",
  java: "java javac javap mvn jspawnhelper",
  others: "go gofmt cargo rustc rustfmt perl shellcheck less more",
} as const;

/**
 * The programs of the system that an allowed command may start, by itself or by way of the project's own code. None of
 * them contacts other machines, changes rights or starts services by itself.
 */
export const allowedPrograms: ReadonlySet<string> = new Set(Object.values(lists).flatMap((list) => list.split(" ")));
