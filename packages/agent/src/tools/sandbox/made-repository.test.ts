import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sandboxModes } from "../testing/sandbox-modes.ts";
import { createSandboxWorkspace, type SandboxWorkspace } from "../testing/sandbox-workspace.ts";

const [, { isAvailable, name }] = await sandboxModes();

describe.skipIf(!isAvailable)(`a repository that a command makes, ${name}`, () => {
  let bench: SandboxWorkspace;
  let file: SandboxWorkspace["file"];
  let run: SandboxWorkspace["run"];
  let git: SandboxWorkspace["git"];

  beforeEach(async () => {
    bench = await createSandboxWorkspace();
    ({ file, run, git } = bench);
  });
  afterEach(() => bench.remove());

  /** Runs commands in the sandbox one after the other, then git outside. The repository `fake` names a program. */
  const outsideAfter = async (...commands: readonly string[]) => {
    for (const command of commands) await run(command);
    try {
      git("status", "--short");
    } catch {
      // git may refuse the folder
    }
    return existsSync(join(bench.workspace, "owned")) ? "started a program" : "started nothing";
  };
  const arm = (folder: string) => `git config --file ${folder}/config core.fsmonitor 'touch "$PWD/owned"; false'`;
  const make = (folder: string) => `git init -q '${folder}.tmp' && mv '${folder}.tmp/.git' '${folder}'`;

  test("git outside starts the program of a repository that is not protected", async () => {
    git("init", "-q");
    git("config", "core.fsmonitor", `touch "$PWD/owned"; false`);
    expect(await outsideAfter()).toBe("started a program");
  });

  test.each([
    ["a line break in the name", "fake\nx", "gitdir: fake\\nx\\n"],
    ["a space at the end of the name", "fake ", "gitdir: fake \\n"],
    ["several line ends", "fake", "gitdir: fake\\r\\n\\r\\n"],
    ["a link before two dots", "a/fake", "gitdir: link/../fake"],
    ["text behind a zero byte", "fake", "gitdir: fake\\0x"],
    ["an absolute path", "fake", "gitdir: $PWD/fake"],
  ])("a file .git is read as git reads it: %s", async (_, folder, content) => {
    const links = "mkdir -p a/b && ln -s a/b link";
    const attack = `${links} && ${make(folder)} && ${arm(`'${folder}'`)} && printf "${content}" > .git`;
    expect(await outsideAfter(attack)).toBe("started nothing");
  });

  test.each([
    ["a link to a folder whose name is no text", "ln -s $'f\\xff' .git"],
    ["a file that names a folder whose name is no text", "printf 'gitdir: f\\xff' > .git"],
    ["a file that names a link to it", "ln -s $'f\\xff' link; echo 'gitdir: link' > .git"],
  ])("a .git that cannot be checked is removed: %s", async (_, name) => {
    const attack = `${make("fake")} && ${arm("fake")} && mv fake $'f\\xff' && ${name}`;
    expect(await outsideAfter(attack)).toBe("started nothing");
    expect(existsSync(join(bench.workspace, ".git"))).toBe(false);
  });

  test.each([
    ["a link with two dots behind a link", "mkdir -p a/b; mv fake a/fake; ln -s a/b link; ln -s link/../fake .git"],
    ["a link to a file, which git reads from the folder of .git", "mkdir a; echo gitdir: fake > a/f; ln -s a/f .git"],
  ])("a link .git is followed as git follows it: %s", async (_, name) => {
    expect(await outsideAfter(`${make("fake")} && ${arm("fake")} && ${name}`)).toBe("started nothing");
  });

  test.each([
    ["a file", "echo gitdir: fake > .git"],
    ["a link", "ln -s fake .git"],
  ])(
    "%s .git that leads to a folder of the workspace: the folder is protected in the next command",
    async (_, name) => {
      const first = `${make("fake")} && ${name}`;
      expect(await outsideAfter(first, arm("fake"))).toBe("started nothing");
      expect(await outsideAfter(`mv fake old && cp -r old fake; ${arm("fake")}`)).toBe("started nothing");
      expect(await run("git commit -q --allow-empty -m works && git log --format=%s")).toBe("works\n[exit code 0]");
    },
  );

  test("a linked worktree whose folders are all in the workspace cannot name another configuration", async () => {
    const first = [
      make("fake"),
      "mkdir -p fake/worktrees/x && cp fake/HEAD fake/worktrees/x && echo $PWD/.git > fake/worktrees/x/gitdir",
      "echo ../.. > fake/worktrees/x/commondir && echo gitdir: fake/worktrees/x > .git",
      arm("fake"),
    ].join(" && ");
    expect(await outsideAfter(first, "echo ../.. > fake/worktrees/x/commondir")).toBe("started nothing");
  });

  test.each([
    ["a link", "mkdir d && mv .git/config d && ln -s ../d/config .git/config", `mv d old; mkdir d; ${arm("d")}`],
    ["a hard link", "mkdir d && ln .git/config d/config", `${arm(".")}; cat config > d/config`],
  ])("the configuration of a new repository cannot be changed under another name: %s", async (_, first, second) => {
    expect(await outsideAfter(`git init -q && ${first}`, second)).toBe("started nothing");
  });

  test.each([
    ["a folder whose name is no text, in hooks", "mkdir -p .git/hooks/d/$'\\xff'"],
    ["a folder with the name of a file", "mkdir -p .git/commondir/$'\\xff' .git/config.worktree/$'\\xff'"],
    ["folders that forbid changes", "chmod 0 .git/hooks && chmod 555 .git"],
  ])("what cannot be removed does not keep the settings: %s", async (_, obstacle) => {
    const open = "chmod 755 .git .git/hooks; rm -rf .git/commondir";
    expect(await outsideAfter(`git init -q && ${arm(".git")} && ${obstacle}`, open)).toBe("started nothing");
  });

  test("a git folder that cannot be listed is protected in the next command", async () => {
    git("init", "-q");
    expect(await outsideAfter("chmod 0 .git", `chmod 755 .git; ${arm(".git")}`)).toBe("started nothing");
  });

  test("what cannot be removed does not keep a bare repository", async () => {
    git("init", "-q");
    const obstacle = "mkdir -p .git/commondir/$'\\xff'; rm .git/HEAD; chmod 555 .";
    expect(await outsideAfter(`${makeBare}; ${armBare}; ${obstacle}`)).toBe("started nothing");
  });

  const makeBare = "git init -q --bare b && git config --file b/config core.bare false && mv b/* .";
  const armBare = `git config --file config core.worktree . && ${arm(".")}`;

  test.each([
    ["without .git", "true", [`${makeBare}; ${armBare}`]],
    ["in two commands", "true", [makeBare, armBare]],
    ["with HEAD in the second command", "true", [`${makeBare}; ${armBare}; rm HEAD`, "echo ref: refs/heads/x > HEAD"]],
    ["with a link as HEAD", "true", [`${makeBare}; ${armBare}; ln -sf refs/heads/x HEAD`]],
    ["with commondir", "true", [`${makeBare}; ${armBare}; mkdir c; mv config objects refs c; echo c > commondir`]],
    ["with a .git that is made invalid", "init", [`${makeBare}; ${armBare}; rm .git/HEAD`]],
    ["with a .git that is made invalid later", "init", [`${makeBare}`, `${armBare}; rm .git/HEAD`]],
    ["with a link .git to the workspace", "true", [`${makeBare}; ln -s . .git`, armBare]],
    ["with a file .git that names the workspace", "true", [`${makeBare}; echo gitdir: . > .git`, armBare]],
  ])("the workspace does not become a bare repository: %s", async (_, before, commands) => {
    if (before === "init") git("init", "-q");
    expect(await outsideAfter(...commands)).toBe("started nothing");
    expect(existsSync(join(bench.workspace, "HEAD"))).toBe(false);
  });

  test("a project with folders named config and hooks keeps them", async () => {
    await file(join(bench.workspace, "config/app.json"));
    await file(join(bench.workspace, "hooks/use-name.ts"));
    expect(await run("git init -q --bare b && mv b/HEAD b/objects b/refs .")).toContain("[The file HEAD was removed");
    expect(existsSync(join(bench.workspace, "config/app.json"))).toBe(true);
    expect(existsSync(join(bench.workspace, "hooks/use-name.ts"))).toBe(true);
  });

  test("in a workspace that is a bare repository, configuration and hooks are read-only", async () => {
    git("init", "-q", "--bare");
    for (const attack of ["git config core.pager x", "echo x > hooks/pre-push", "mkdir worktrees/x"])
      expect([attack, await run(attack)]).toEqual([attack, expect.stringMatching(/Read-only file system|busy/)]);
    expect(await run("mkdir c && echo c > commondir")).toContain("[The file commondir was removed");
    expect(git("rev-parse", "--is-bare-repository")).toBe("true\n");
  });
});
