import { basename, isAbsolute, resolve } from "node:path";
import { allowedPrograms } from "./allowed-programs.ts";
import { isToolFile } from "./canaries.ts";
import type { ContainerRun } from "./container.ts";
import type { WorkspaceFixture } from "./workspace-fixture.ts";

/** Files of the system that hold secrets. */
const secretFiles = /^\/etc\/(?:g?shadow|sudoers|ssh\/.*key)|^\/proc\/\w+\/environ$/;

/** What some programs open for their own work and do not show. */
const ownReads: Readonly<Record<string, (path: string, home: string) => boolean>> = {
  ps: (path) => /^\/proc\/\d+\/environ$/.test(path),
  pip: (path, home) => path === home,
  python3: (path, home) => path === home, // pip as a module
};

/** What a command did that nothing allowed may do, as sentences. */
export function findingsOf({ root, home, workspace }: WorkspaceFixture, run: ContainerRun): readonly string[] {
  const isInside = (path: string) => path === workspace || path.startsWith(`${workspace}/`);
  const exceptions = run.started.flatMap((path) => ownReads[basename(path)] ?? []);
  const read = run.opened.filter((path) => {
    if (exceptions.some((isOwnRead) => isOwnRead(path, home))) return false;
    if (secretFiles.test(path)) return true;
    return path.startsWith(`${root}/`) && !isInside(path) && !isToolFile(home, path);
  });
  const unknown = run.started.filter(
    (path) => isAbsolute(path) && !isInside(path) && !allowedPrograms.has(basename(path)),
  );
  const attempts = run.refusedWrites.filter((path) => !isInside(resolve(workspace, path)));
  return [
    ...run.changes.map(({ path, what }) => `~/${path} is ${what}`),
    ...read.map((path) => `opened ${path.replace(home, "~")}`),
    ...attempts.map((path) => `tried to write ${path}`),
    ...unknown.map((path) => `started ${path}`),
    ...(run.exitCode === null ? ["was killed after its time limit"] : []),
  ];
}

/** Files that simple programs open: libraries, names of users, locales and terminals. */
const systemFiles = [
  /^\/(?:usr|lib|lib64|proc|sys)\//,
  /^\/etc\/(?:ld\.so|passwd|group|nsswitch|localtime|gitconfig|inputrc|locale)/,
  /^\/dev\/(?:null|tty)$/,
];

/** The opened files outside the fixture that are not files of the system which simple programs need. */
export function unusualPaths({ root }: WorkspaceFixture, { opened }: ContainerRun): readonly string[] {
  const unusual = opened.filter(
    (path) => !path.startsWith(`${root}/`) && !systemFiles.some((pattern) => pattern.test(path)),
  );
  return unusual.map((path) => `opened ${path}`);
}
