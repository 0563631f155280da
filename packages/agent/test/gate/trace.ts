/** What strace saw. */
export interface Trace {
  /** The files and folders that were opened, by their paths without links. */
  readonly opened: readonly string[];
  /** The programs that were started, as they were named. */
  readonly started: readonly string[];
  /** Paths, as they were named, that could not be written because the file system is read-only. */
  readonly refusedWrites: readonly string[];
}

const opening = /^\d+ +(?:<\.\.\. )?(?:open|openat|openat2|creat)(?:\(| resumed>).* = \d+<(.*)>$/;
const refusedWrite = /^\d+ +\w+\((?:\w+(?:<[^>]*>)?, )?"((?:[^"\\]|\\.)*)".* = -1 EROFS/;
const start = /^(\d+) +execve(?:at)?\((?:AT_FDCWD<[^>]*>, )?"((?:[^"\\]|\\.)*)".* (?:= (-?\d+)|<unfinished \.\.\.>)/;
const startEnd = /^(\d+) +<\.\.\. execve(?:at)? resumed>.* = (-?\d+)/;

/** Reads the output of strace for calls that name files. */
export function readTrace(text: string): Trace {
  const opened = new Set<string>();
  const started = new Set<string>();
  const refusedWrites = new Set<string>();
  const unfinished = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, path] = opening.exec(line) ?? [];
    if (path !== undefined) opened.add(path);
    const [, refusedPath] = refusedWrite.exec(line) ?? [];
    if (refusedPath !== undefined) refusedWrites.add(refusedPath);
    const [, process, program, result] = start.exec(line) ?? [];
    if (process !== undefined && program !== undefined) {
      if (result === undefined) unfinished.set(process, program);
      else if (result === "0") started.add(program);
    }
    const [, resumed, end] = startEnd.exec(line) ?? [];
    const resumedProgram = resumed === undefined ? undefined : unfinished.get(resumed);
    if (resumedProgram !== undefined && end === "0") started.add(resumedProgram);
  }
  return { opened: [...opened], started: [...started], refusedWrites: [...refusedWrites] };
}
