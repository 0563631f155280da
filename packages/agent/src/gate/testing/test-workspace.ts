import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A workspace of a small project, with a folder beside it that nothing may reach. */
export interface TestWorkspace {
  readonly workspace: string;
  readonly outside: string;
  write(path: string, text?: string): void;
  link(path: string, target: string): void;
  hardLink(path: string, target: string): void;
  remove(): void;
}

const projectFiles = [
  ...["a.ts", "b.ts", "script.js", "build.sh", "package.json", "README.md", "data.csv", "log.txt", "main.c"],
  ...["src/x.ts", "sub/deep/y.ts", "docs/index.md", "test/x.test.ts", "tests/test_a.py", "packages/a/package.json"],
  ...["dist/index.js", "build/a.o", "out/b.txt", ".git/HEAD", ".venv/bin/pytest"],
  ...["vitest", "tsc", "eslint", "prettier"].map((tool) => `node_modules/.bin/${tool}`),
];

/** Creates the files of a project; `hasLinks` adds links that lead out of the workspace. */
export function createTestWorkspace({ hasLinks = false }: { readonly hasLinks?: boolean } = {}): TestWorkspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gate-")));
  const workspace = join(folder, "workspace");
  const outside = join(folder, "outside");
  const at = (path: string): string => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    return join(workspace, path);
  };
  const files: TestWorkspace = {
    workspace,
    outside,
    write: (path, text = "") => writeFileSync(at(path), text),
    link: (path, target) => symlinkSync(target, at(path)),
    hardLink: (path, target) => linkSync(target, at(path)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "");
  for (const path of projectFiles) files.write(path);
  files.write(".gitignore", "node_modules\n.venv/\n");
  chmodSync(join(workspace, "build.sh"), 0o755);
  files.link("deep-link", "sub/deep");
  if (hasLinks) {
    files.link("links-out", "/etc");
    files.link("linkf", join(outside, "secret"));
    files.link("d/e/in", "..");
  } else files.link(".venv/bin/python", "/usr/bin/python3");
  return files;
}
