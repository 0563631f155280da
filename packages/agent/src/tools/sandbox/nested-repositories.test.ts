import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sandboxModes } from "../testing/sandbox-modes.ts";
import { createSandboxWorkspace, type SandboxWorkspace } from "../testing/sandbox-workspace.ts";
import { nestedRepositories } from "./nested-repositories.ts";

const [, { isAvailable, name }] = await sandboxModes();

describe.skipIf(!isAvailable)(`repositories in folders of the workspace, ${name}`, () => {
  let bench: SandboxWorkspace;
  let run: SandboxWorkspace["run"];
  let git: SandboxWorkspace["git"];

  beforeEach(async () => {
    bench = await createSandboxWorkspace();
    ({ run, git } = bench);
    git("init", "-q");
  });
  afterEach(() => bench.remove());

  const inWorkspace = (...names: readonly string[]) => join(bench.workspace, ...names);
  const owned = () => join(bench.outside, "owned"); // no command in the sandbox can write there
  const sh = (command: string) => execFileSync("bash", ["-c", command], { cwd: bench.workspace, stdio: "pipe" });

  /** What git does outside after commands in the sandbox; the folder is entered first. */
  const outsideAfter = async (commands: readonly string[], folder = ".", action = "git status --short") => {
    const results: string[] = [];
    for (const command of commands) results.push(await run(command));
    try {
      sh(`cd '${folder}' && ${action}`);
    } catch {
      // git may refuse the folder
    }
    const started = existsSync(owned()) ? "started a program" : "started nothing";
    rmSync(owned(), { force: true });
    return { started, notes: results.join("\n") };
  };
  const startsNothing = { started: "started nothing" };
  const commit = "git commit -q --allow-empty -m one";
  const arm = (folder: string) => `git config --file ${folder}/config core.fsmonitor 'touch ${owned()}; false'`;
  const bare = (folder: string) =>
    `git init -q --bare ${folder} && git config --file ${folder}/config core.bare false && ` +
    `git config --file ${folder}/config core.worktree .. && ${arm(folder)}`;

  test("git outside starts the program of a submodule that was there before", async () => {
    sh(`git init -q sub && cd sub && ${commit} && cd .. && git add sub 2>&1 && ${arm("sub/.git")}`);
    expect(await outsideAfter([])).toEqual({ started: "started a program", notes: "" });
  });

  const makeSub = `git init -q sub && cd sub && ${commit} && cd ..`;
  const hook =
    "printf '#!/bin/sh\\ntouch OUT' > sub/.git/hooks/post-index-change && " +
    "chmod +x sub/.git/hooks/post-index-change && sleep 1 && touch -d yesterday sub/.git/index && " +
    "echo > sub/a && git -C sub add a && touch sub/a";
  test.each([
    ["a submodule", [`${makeSub} && git add sub && ${"ARM"}`], "."],
    ["a submodule in two commands", [`${makeSub} && git add sub`, "ARM"], "."],
    [
      "a submodule that is ignored",
      [
        `mkdir -p node_modules/x && cd node_modules/x && ${makeSub} && cd ../.. && ` +
          "mv node_modules/x/sub sub && ARM && mv sub node_modules/x && git add -f node_modules/x/sub",
      ],
      ".",
    ],
    ["a repository that is no submodule", [`${makeSub} && ARM`], "sub"],
    [
      "a file .git",
      [
        `git init -q --separate-git-dir=store sub && cd sub && ${commit} && cd .. && git add sub && ` +
          "git config --file store/config core.fsmonitor OWN",
      ],
      ".",
    ],
    [
      "a link .git",
      [
        `${makeSub} && git add sub && mv sub/.git store && ln -s ../store sub/.git && ` +
          "git config --file store/config core.fsmonitor OWN",
      ],
      ".",
    ],
    [
      "a file .git that leads into the git folder of the workspace",
      [
        `${makeSub} && git add sub && ` +
          "mv sub/.git .git/store && echo gitdir: ../.git/store > sub/.git && " +
          "git config --file .git/store/config core.fsmonitor OWN",
      ],
      ".",
    ],
    ["a bare repository", ["BARE"], "x"],
    ["a bare repository whose HEAD leads nowhere", ["BARE && ln -sf refs/heads/none x/HEAD"], "x"],
    ["a bare repository that is made in two commands", ["BARE && mv x/HEAD x/H", "mv x/H x/HEAD"], "x"],
    ["a bare repository around a folder", ["BARE && mkdir x/inner"], "x/inner"],
    [
      "a repository in a bare one",
      [
        "git init -q --bare x && mkdir x/objects/y && cd x/objects/y && " +
          `${makeSub} && cd ../../.. && git config --file x/objects/y/sub/.git/config core.fsmonitor OWN`,
      ],
      "x/objects/y/sub",
    ],
    ["a folder that cannot be listed", [`${makeSub} && ARM && chmod 300 sub`], "sub"],
    [
      "settings in a file that is included",
      [
        `${makeSub} && git add sub && git config --file i core.fsmonitor OWN && ` +
          'git config --file sub/.git/config include.path "$PWD/i"',
      ],
      ".",
    ],
    [
      "settings of a worktree",
      [
        `${makeSub} && git add sub && cd sub && git config extensions.worktreeConfig true && ` +
          "git config --worktree core.fsmonitor OWN",
      ],
      ".",
    ],
    ["a hook", [`${makeSub} && git add sub && ${hook}`], "."],
    [
      "a folder of hooks that cannot be listed",
      [`${makeSub} && git add sub && ${hook} && chmod 300 sub/.git/hooks sub/.git`],
      ".",
    ],
    [
      "a filter",
      [
        `${makeSub} && git add sub && cd sub && echo a > a.txt && git add a.txt && ` +
          "git config filter.x.clean OWN && echo '*.txt filter=x' > .gitattributes && echo b > a.txt",
      ],
      ".",
    ],
  ])("a new repository starts no program: %s", async (_, commands, folder) => {
    const own = `'touch ${owned()}; false'`;
    const filled = commands.map((command) =>
      command
        .replaceAll("ARM", arm("sub/.git"))
        .replaceAll("BARE", bare("x"))
        .replaceAll("OWN", own)
        .replaceAll("OUT", owned()),
    );
    const after = await outsideAfter(filled, folder);
    sh("chmod -R u+rwx ."); // for the removal of the workspace
    expect(after).toMatchObject(startsNothing);
  });

  test("what was removed is said, and the repository still works", async () => {
    const { notes } = await outsideAfter([
      `${makeSub} && git -C sub remote add origin https://example.org/x && ${arm("sub/.git")}`,
    ]);
    expect(notes).toContain(
      "[Hooks and settings that can start programs were removed from the git repository sub/.git.]",
    );
    expect(git("-C", "sub", "remote", "-v")).toContain("https://example.org/x");
    expect(await run("cd sub && git commit -q --allow-empty -m two && git log --format=%s")).toBe(
      "two\none\n[exit code 0]",
    );
  });

  test("a name that is no text does not hide a submodule", async () => {
    const attack = `${makeSub} && ${arm("sub/.git")} && mv sub $'s\\xff' && git add $'s\\xff'`;
    expect(await outsideAfter([attack])).toMatchObject(startsNothing);
  });

  describe("a repository of the user", () => {
    const hook = () => inWorkspace("sub/.git/hooks/pre-commit");
    beforeEach(async () => {
      sh(`${makeSub} && git -C sub config core.fsmonitor my-monitor && git -C sub config alias.x '!x'`);
      await bench.file(hook(), "#!/bin/sh\n");
      await chmod(hook(), 0o755);
    });
    const settings = () => git("-C", "sub", "config", "--local", "--list");

    test("keeps its hooks and settings while commands work in it", async () => {
      const before = settings();
      expect(await run("cd sub && git config user.name x && echo a > a && git add a")).not.toContain("removed");
      expect(await run("mkdir y && mv sub y && touch y/sub/b && mv y/sub .")).toBe("[exit code 0]");
      expect(settings()).toBe(`${before}user.name=x\n`);
      expect(existsSync(hook())).toBe(true);
    });

    test("keeps them when a command moves it", async () => {
      expect(await run("mv sub other")).toBe("[exit code 0]");
      expect(existsSync(inWorkspace("other/.git/hooks/pre-commit"))).toBe(true);
    });

    test("loses only what a command adds or changes", async () => {
      const attack =
        "cd sub && git config core.pager evil && git config user.name x && echo x > .git/hooks/post-commit";
      expect(await run(attack)).toContain("removed from the git repository sub/.git");
      expect(settings()).toMatch(/core\.fsmonitor=my-monitor\nalias\.x=!x\n[\s\S]*user\.name=x/);
      expect(settings()).not.toContain("evil");
      expect([existsSync(hook()), existsSync(inWorkspace("sub/.git/hooks/post-commit"))]).toEqual([true, false]);
      expect(await run("echo evil >> sub/.git/hooks/pre-commit")).toContain("removed");
      expect(existsSync(hook())).toBe(false);
    });

    test("keeps them when it is made while no command runs", async () => {
      await run("true");
      sh("git init -q mine && git -C mine config core.fsmonitor my-monitor");
      expect(await run("touch mine/a")).toBe("[exit code 0]");
      expect(git("-C", "mine", "config", "core.fsmonitor")).toBe("my-monitor\n");
    });

    test("does not become a submodule that git status works in", async () => {
      sh(arm("sub/.git"));
      const { started, notes } = await outsideAfter(["git add sub"]);
      expect(started).toBe("started nothing");
      expect(notes).toContain("[sub was taken out of the index");
      expect(settings()).toContain("core.fsmonitor=touch");
    });

    test("is not used under another name", async () => {
      renameSync(inWorkspace("sub/.git"), inWorkspace("sub/fixture"));
      sh(arm("sub/fixture"));
      const again = `git init -q new && cd new && ${commit} && cd .. && git add new && rm -rf new/.git`;
      expect(await outsideAfter([`${again} && echo gitdir: ../sub/fixture > new/.git`])).toMatchObject(startsNothing);
      expect(await outsideAfter(["mv sub/fixture new/.git"])).toMatchObject(startsNothing);
    });
  });

  test("a command cannot prepare what another one keeps that begins before it has ended", () => {
    const nested = nestedRepositories(bench.workspace, process.env["PATH"] ?? "");
    const first = nested.beforeCommand(undefined);
    sh(`git init -q sub && ${arm("sub/.git")}`);
    const second = nested.beforeCommand(undefined);
    expect(first.afterCommand(undefined)).toHaveLength(1);
    sh(arm("sub/.git"));
    expect(second.afterCommand(undefined)).toHaveLength(1);
    expect(nested.beforeCommand(undefined).afterCommand(undefined)).toEqual([]);
  });

  test("folders that were not looked at are said once", async () => {
    const sentence = "[Not all folders could be searched for git repositories that start programs.]";
    expect(await run("mkdir $'x\\xff'")).toContain(sentence);
    expect(await run("touch $'x\\xff/a'")).not.toContain(sentence);
  });

  test("a rebase that has not ended starts no program that a command put there", async () => {
    sh(`${commit} && git commit -q --allow-empty -m two`);
    const attack = [
      "export GIT_SEQUENCE_EDITOR='sed -i 1i\\ break' && git rebase -q -i HEAD~1",
      `echo 'exec touch ${owned()}' >> .git/rebase-merge/git-rebase-todo`,
    ].join("; ");
    const { started, notes } = await outsideAfter([attack], ".", "git rebase --continue");
    expect(started).toBe("started nothing");
    expect(notes).toContain("[Programs were removed from the rebase that has not ended.]");
    expect(await readFile(inWorkspace(".git/HEAD"), "utf8")).toContain("ref:");
  });

  test.each([
    [
      "setting",
      "sub",
      "git -C sub config branch.main.remote ./.git/evil; git -C sub config branch.main.merge refs/heads/main",
    ],
    ["file of a new repository", "sub", "mkdir -p sub/.git/remotes; echo 'URL: ./.git/evil' > sub/.git/remotes/origin"],
    ["file of the own repository", ".", "mkdir -p .git/remotes; echo 'URL: ./.git/evil' > .git/remotes/origin"],
  ])("a push goes to no folder with hooks that a command made: %s", async (_, folder, remote) => {
    sh("git symbolic-ref HEAD refs/heads/main");
    const make = `git init -q -b main sub; git -C ${folder} commit -q --allow-empty -m one`;
    const evil = `${folder}/.git/evil`;
    const program = `echo 'touch ${owned()}' > ${evil}/hooks/pre-receive; chmod +x ${evil}/hooks/*`;
    const hook = `git init -q --bare ${evil}; ${program}`;
    const push = "git push || git push origin HEAD:refs/heads/main";
    expect(await outsideAfter([`${make}; ${hook}; ${remote}`], folder, push)).toMatchObject(startsNothing);
  });

  test("a rebase that has not ended starts no file that its strategy names", async () => {
    sh(`${commit} && echo 1 > a && git add a && git commit -qm two && git checkout -qb other HEAD~1`);
    sh("echo 2 > b && git add b && git commit -qm three");
    const attack = [
      "export GIT_SEQUENCE_EDITOR='sed -i 1i\\ break' && git rebase -q -i -",
      "mkdir git-merge-x && printf '#!/bin/sh\\ntouch owned; exit 1' > evil && chmod +x evil",
      "sed -i '/^break/d' .git/rebase-merge/git-rebase-todo && echo x/../evil > .git/rebase-merge/strategy",
    ].join("; ");
    const { started, notes } = await outsideAfter([attack], ".", "git rebase --continue");
    expect(started).toBe("started nothing");
    expect(notes).toContain("[Programs were removed from the rebase that has not ended.]");
  });

  test("a program of the user's own rebase cannot be made longer", async () => {
    sh(`${commit} && git commit -q --allow-empty -m two`);
    sh("GIT_SEQUENCE_EDITOR=\"sed -i '1i break\\nexec true'\" git rebase -q -i HEAD~1");
    const attack = `sed -i 's|^exec true|&\\r; touch ${owned()}|' .git/rebase-merge/git-rebase-todo`;
    const { started } = await outsideAfter([attack], ".", "git rebase --continue");
    expect(started).toBe("started nothing");
  });
});
