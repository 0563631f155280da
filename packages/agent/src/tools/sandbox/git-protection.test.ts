import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { bashTool } from "../bash-tool.ts";
import { sandboxModes } from "../testing/sandbox-modes.ts";
import { canary, createSandboxWorkspace, type SandboxWorkspace } from "../testing/sandbox-workspace.ts";
import { findSandbox } from "./find-sandbox.ts";

const [, { isAvailable, name }] = await sandboxModes();
const disarmed = "[Hooks and settings of the new git repository that can start programs were removed.]";

describe.skipIf(!isAvailable)(`git ${name}`, () => {
  let bench: SandboxWorkspace;
  let file: SandboxWorkspace["file"];
  let run: SandboxWorkspace["run"];
  let git: SandboxWorkspace["git"];

  beforeEach(async () => {
    bench = await createSandboxWorkspace();
    ({ file, run, git } = bench);
  });
  afterEach(() => bench.remove());

  const inGit = (...names: readonly string[]) => join(bench.workspace, ".git", ...names);

  test("git commits as the user, without the user's credentials", async () => {
    git("init", "-q");
    await file(join(bench.workspace, "a.txt"));
    expect(await run("git add a.txt && git commit -qm first && git switch -qc next && git stash list")).toBe(
      "[exit code 0]",
    );
    expect(git("log", "--format=%an %ae %s")).toBe("A B a@example.org first\n");
    expect(await run("git config --global --list; cat ~/.gitconfig")).not.toContain(canary);
  });

  test("hooks and the configuration of git cannot be changed or replaced", async () => {
    git("init", "-q");
    await run("git commit -q --allow-empty -m first");
    const before = await readFile(join(bench.workspace, ".git/config"), "utf8");
    for (const attack of [
      "echo x > .git/hooks/pre-commit",
      "git config core.hooksPath /tmp",
      "rm -rf .git/hooks && mkdir .git/hooks",
      "mv .git/hooks old",
      "mv .git old",
      "mv .git/config old",
      "ln -sf /tmp/x .git/config",
    ])
      expect([attack, await run(attack)]).toEqual([attack, expect.stringMatching(/Read-only file system|busy/)]);
    expect(await readFile(join(bench.workspace, ".git/config"), "utf8")).toBe(before);
    git("status");
  });

  test("another folder cannot take the place of the git folder", async () => {
    git("init", "-q");
    const attack = "cp -r .git evil && echo 'touch owned' > evil/hooks/pre-commit && echo ../evil > .git/commondir";
    expect(await run(attack)).toContain("[The file .git/commondir was removed");
    expect(existsSync(join(bench.workspace, ".git/commondir"))).toBe(false);
    expect(await run("git status --short")).toBe("?? evil/\n[exit code 0]");
  });

  test("a missing hooks folder cannot be created", async () => {
    git("init", "-q");
    await rename(inGit("hooks"), join(bench.outside, "hooks"));
    expect(await run("mkdir -p .git/hooks; echo x > .git/hooks/pre-commit")).toContain("Read-only file system");
  });

  test("commits work in a linked worktree and in a folder of a repository", async () => {
    git("init", "-q");
    git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-m", "first");
    const linked = join(bench.outside, "linked");
    git("worktree", "add", "-q", linked);
    const commit = "echo a > a.txt && git add a.txt && git commit -qm second && git log --format=%s";
    expect(await run(commit, { workspace: linked })).toBe("second\nfirst\n[exit code 0]");
    expect(await run("git config user.name y", { workspace: linked })).toContain(
      "[The sandbox of this command keeps the configuration and the hooks of git unchanged.]",
    );
    const folder = join(bench.workspace, "packages/a");
    await file(join(folder, "x.txt"), "x");
    expect(await run(commit, { workspace: folder })).toBe("second\nfirst\n[exit code 0]");
    expect(await run("touch ../b", { workspace: folder })).toContain("Read-only file system");
  });

  test.each([
    ["file", "echo 'gitdir: ../.git/evil' > .git"],
    ["link", "ln -s ../.git/evil .git"],
  ])(
    "a %s .git in a folder of a repository cannot name a folder that a command makes in its git folder",
    async (_, plant) => {
      git("init", "-q");
      git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-m", "first");
      const folder = join(bench.workspace, "packages/a");
      await file(join(folder, "x.txt"), "x");
      const settings = `git config --file ../../.git/evil/config core.fsmonitor 'touch "$PWD/owned"; false'`;
      const copy = "cp -r ../../.git /tmp/evil; mv /tmp/evil ../../.git/";
      const attack = `${copy}; ${settings}; ${plant.replace("../", "../../")}`;
      expect(await run(attack, { workspace: folder })).toContain("The file .git was removed");
      git("-C", folder, "status");
      expect(existsSync(join(folder, "owned"))).toBe(false);
    },
  );

  test("a file .git that names a folder outside does not open that folder", async () => {
    const elsewhere = join(bench.outside, "elsewhere");
    await file(join(elsewhere, "worktrees/x/secret"));
    await file(join(bench.workspace, ".git"), `gitdir: ${elsewhere}/worktrees/x\n`);
    expect(await run(`cat ${elsewhere}/worktrees/x/secret; touch ${elsewhere}/new`)).not.toContain(canary);
  });

  test("a forged file commondir is gone when an aborted command has really ended", async () => {
    git("init", "-q");
    const stop = new AbortController();
    const command = "trap '' TERM; touch started; sleep 0.1; echo ../evil > .git/commondir; sleep 100";
    const running = run(command, { signal: stop.signal });
    await vi.waitFor(() => expect(existsSync(join(bench.workspace, "started"))).toBe(true), { timeout: 10_000 });
    stop.abort();
    expect(await running).toContain("[interrupted");
    await vi.waitFor(() => expect(existsSync(inGit("commondir"))).toBe(true), { timeout: 10_000, interval: 5 });
    await vi.waitFor(() => expect(existsSync(inGit("commondir"))).toBe(false), { timeout: 10_000 });
  });

  test("a command waits until the processes of an aborted one have ended", async () => {
    git("init", "-q");
    const found = await findSandbox({ workspace: bench.workspace });
    if (!found.isAvailable) throw new Error(found.reason);
    const bash = bashTool({ sandbox: found.sandbox, graceMs: 500 });
    const stop = new AbortController();
    const command = "trap '' TERM; touch started; while :; do echo ../evil > .git/commondir; sleep 0.01; done";
    const running = bench.call(bash, { command }, stop.signal);
    await vi.waitFor(() => expect(existsSync(join(bench.workspace, "started"))).toBe(true), { timeout: 10_000 });
    stop.abort();
    await running;
    const next = await bash.run(
      { command: "ls .git; sleep 0.1; ls .git" },
      { ...bench.context(), leavesSandbox: true },
    );
    expect(next).toMatchObject({ content: expect.not.stringMatching(/^commondir$/m) });
  });

  test.each([false, true])(
    "what a killed agent left is removed before the next command, outside: %s",
    async (leaves) => {
      git("init", "-q");
      await file(inGit("commondir"), "../evil");
      const content = await run("cat .git/commondir", { leavesSandbox: leaves });
      expect(content).toContain("No such file");
      expect(content).toContain("[The file .git/commondir was removed");
    },
  );

  test("missing parts of the git folder that git would use cannot be added", async () => {
    git("init", "-q");
    git("config", "extensions.worktreeConfig", "true");
    for (const attack of ["mkdir .git/modules/x", "mkdir .git/worktrees/x", "echo x > .git/config.worktree"])
      expect([attack, await run(attack)]).toEqual([attack, expect.stringContaining("Read-only file system")]);
    expect(git("status", "--short")).toBe("");
  });

  test("the folder behind a link .git is protected, and a new one in its place has no hooks", async () => {
    git("init", "-q");
    await rename(inGit(), join(bench.workspace, "store"));
    await symlink("store", inGit());
    expect(await run("echo x > .git/hooks/pre-commit")).toContain("Read-only file system");
    const attack = "cp -r store evil && echo x > evil/hooks/pre-commit && rm .git && ln -s evil .git";
    expect(await run(attack)).toContain(disarmed);
    expect(existsSync(join(bench.workspace, "evil/hooks/pre-commit"))).toBe(false);
  });

  test("a link .git that leads out opens nothing, and nothing behind it is changed", async () => {
    const elsewhere = join(bench.outside, "elsewhere");
    await file(join(elsewhere, "hooks/pre-commit"));
    await symlink(elsewhere, inGit());
    expect(await run("cat .git/hooks/pre-commit; touch .git/new")).not.toContain(canary);
    await rm(inGit());
    expect(await run(`mkdir .git && ln -s ${elsewhere}/hooks .git/hooks`)).toContain(disarmed);
    expect(await readFile(join(elsewhere, "hooks/pre-commit"), "utf8")).toBe(canary);
  });

  test("a file .git cannot be replaced", async () => {
    await mkdir(join(bench.outside, "modules"));
    await file(inGit(), "gitdir: ../modules/x\n");
    expect(await run("rm -f .git; git init")).toMatch(/busy|Read-only/);
  });

  test("a repository that a command makes keeps its harmless settings and loses what starts programs", async () => {
    const init = "git init -q && git remote add origin https://example.org/x.git && git commit -q --allow-empty -m one";
    expect(await run(init)).toBe("[exit code 0]");
    await rm(inGit(), { recursive: true });
    const attack = [
      init,
      "git config core.fsmonitor 'touch owned'",
      "git config remote.evil.url ./evil",
      "echo 'touch owned' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit",
    ].join(" && ");
    expect(await run(attack)).toContain(disarmed);
    expect(git("config", "--get", "remote.origin.url")).toBe("https://example.org/x.git\n");
    git("commit", "-q", "--allow-empty", "-m", "two");
    expect(git("config", "--local", "--list")).not.toMatch(/fsmonitor|evil/);
    expect(existsSync(join(bench.workspace, "owned"))).toBe(false);
    expect(await run("git config core.fsmonitor 'touch owned'")).toMatch(/busy|Read-only/);
  });

  test("the git of the workspace is not started outside the sandbox", async () => {
    const owned = join(bench.workspace, "owned");
    const planted = await file(join(bench.workspace, "node_modules/.bin/git"), `#!/bin/sh\ntouch ${owned}\n`);
    await chmod(planted, 0o755);
    vi.stubEnv("PATH", `${join(bench.workspace, "node_modules/.bin")}:${process.env["PATH"]}`);
    expect(await run("git init -q && git config core.pager less")).toContain(disarmed);
    expect(await run("git --version", { leavesSandbox: true })).toMatch(/^git version/);
    expect(existsSync(owned)).toBe(false);
  });
});
