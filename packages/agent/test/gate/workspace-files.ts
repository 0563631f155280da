/** Files around the workspace, by their path in the home folder: nothing that the gate allows reads or changes them. */
export const canaryFiles: Readonly<Record<string, string>> = {
  ".ssh/id_rsa": "canary: a private key\n",
  ".ssh/config": "# canary\n",
  ".aws/credentials": "canary: credentials\n",
  ".netrc": "# canary\n",
  ".bashrc": "# canary\n",
  ".profile": "# canary\n",
  ".bash_history": "canary\n",
  "bin/canary": "#!/bin/sh\necho canary\n",
  ".sheepdog/config.toml": "# canary\n",
  "work/sibling/x": "canary: another project\n",
  "work/sibling/package.json": '{ "name": "sibling", "scripts": { "test": "echo canary" } }\n',
  "work/sibling/Makefile": "test:\n\techo canary\n",
  "work/sibling/run.sh": "#!/bin/sh\necho canary\n",
  "work/outside/secret.txt": "canary: a secret\n",
  "work/outside/hard.txt": "canary: a file with two names\n",
};

/** Links in the workspace, by name: some lead to other files of it, most lead outside. */
export const outsideLinks: Readonly<Record<string, string>> = {
  current: "src",
  "docs/latest.md": "guide.md",
  "linkf-out": "../outside/secret.txt",
  "linkd-out": "../outside",
  linkhome: "../..",
  "deep/a/out": "../../../outside",
  // It leads to app/sibling here; moved up one folder, it leads to the other project.
  "d/in": "../sibling",
  // A copy to this folder would write through them.
  "target/l.txt": "../../outside/secret.txt",
  "target/template": "../../outside",
};

/** Small programs where package managers would have put real ones. */
export const programs: readonly string[] = [
  ...["vitest", "tsc", "eslint", "prettier", "biome", "jest"].map((name) => `node_modules/.bin/${name}`),
  ...["pytest", "python"].map((name) => `.venv/bin/${name}`),
  ...["scripts/build.sh", "mvnw", "gradlew", "bin/app", "app.out"],
];

/** Files of the project: a little of each language, and names that need care. */
export const projectFiles: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify(
    {
      name: "app",
      version: "1.0.0",
      type: "module",
      scripts: { test: "echo ran", build: "echo ran", lint: "echo ran", typecheck: "echo ran", start: "echo ran" },
    },
    null,
    2,
  )}\n`,
  "package-lock.json": '{ "name": "app", "version": "1.0.0", "lockfileVersion": 3, "packages": {} }\n',
  "tsconfig.json": '{ "compilerOptions": { "strict": true } }\n',
  "README.md": "# App\n\nIt says hello.\n",
  "CHANGELOG.md": "# Changes\n",
  "changes.patch": "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# App\n+# Application\n",
  Makefile: "all build test lint clean:\n\t@echo ran\n",
  "Cargo.toml": '[workspace]\nmembers = ["crates/core"]\n',
  "go.mod": "module example.org/app\n\ngo 1.22\n",
  "pyproject.toml": '[project]\nname = "app"\nversion = "1"\n',
  "pom.xml": "<project/>\n",
  "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(app NONE)\n",
  ".gitignore": "node_modules\n.venv\ndist\n",
  ".env": "TOKEN=of-the-project\n",
  ".env.example": "TOKEN=\n",
  ".sheepdog/config.toml": "# limits\n",
  "data/-n.txt": "a name with a dash\n",
  "src/index.ts": 'import { greet } from "./app.ts";\n\nconsole.log(greet("you"));\n',
  "src/app.ts": "// says hello\nexport function greet(name: string): string {\n  return 'hello ' + name;\n}\n",
  "src/util/strings.ts": "export const foo = (text: string) => text.trim();\n",
  "src/util/dates.ts": "export const today = () => new Date();\n",
  "src/main.c": "int main(void) { return 0; }\n",
  "src/Makefile": "all:\n\t@echo ran\n",
  "src/main/java/App.java": "public class App {\n  public static void main(String[] args) {}\n}\n",
  "crates/core/Cargo.toml": '[package]\nname = "core"\nversion = "1.0.0"\nedition = "2021"\n',
  "crates/core/src/lib.rs": "pub fn greet() {}\n",
  "cmd/server/main.go": "package main\n\nfunc main() {}\n",
  "app/main.py": 'def greet():\n    return "hello"\n',
  "app/models.py": "class Item:\n    pass\n",
  "tests/app.test.ts": 'import { test } from "vitest";\n\ntest("greets by name", () => {});\n',
  "tests/test_app.py": "def test_greet():\n    assert True\n",
  "scripts/run.mjs": 'console.log("ran");\n',
  "docs/guide.md": "# Guide\n",
  "docs/release notes.md": "# Release notes\n",
  "data/items.json": '[{ "id": 1, "name": "a" }, { "id": 2, "name": "b" }]\n',
  "data/items.csv": "id,name\n1,a\n2,b\n",
  "data/app.log": "info started\nerror nothing\n",
  "data/sums.txt": "d41d8cd98f00b204e9800998ecf8427e  ../sibling/x\n",
  "data/link.patch":
    "diff --git a/fromgit b/fromgit\nnew file mode 120000\n--- /dev/null\n+++ b/fromgit\n" +
    "@@ -0,0 +1 @@\n+../outside\n\\ No newline at end of file\n",
  "data/checked.txt": "d41d8cd98f00b204e9800998ecf8427e  README.md\n",
  "config/settings.yaml": "name: app\n",
  "sibling/x": "a folder of the workspace with the name of the other project\n",
  "deep/a/note.txt": "deep\n",
  "d/note.txt": "d\n",
  "template/l.txt": "a file with the name of a link\n",
  "template/template/l.txt": "the same, one folder below\n",
  "target/note.txt": "a folder with links that lead outside\n",
  "data/list.txt": "KILL 5 ../outside/secret.txt\n",
  // Two folders that git takes for a repository, with settings that name a program.
  "odd/c1/HEAD": "ref: refs/heads/main\n",
  "odd/c1/commondir": "../c2\n",
  "odd/c2/config": "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = canary\n",
  "odd/c2/objects/keep": "",
  "odd/c2/refs/keep": "",
  ".venv/bin/activate": "# nothing to do\n",
};
