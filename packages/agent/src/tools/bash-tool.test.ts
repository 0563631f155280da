import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type BashToolOptions, bashTool } from "./bash-tool.ts";
import { fromPs, runningProcesses } from "./processes/process-table.ts";
import { sandboxModes } from "./testing/sandbox-modes.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import type { Tool } from "./tool.ts";

describe.for(await sandboxModes())("$name", ({ isAvailable, sandbox }) => {
  if (!isAvailable) return void test.skip("needs a sandbox");
  let bench: ToolWorkspace;
  const options: BashToolOptions = { graceMs: 300, ...(sandbox === undefined ? {} : { sandbox }) };
  const bash: Tool = bashTool(options);
  const run = (command: string, signal?: AbortSignal, timeoutMs?: number) =>
    bench.call(bash, { command, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, signal);

  /** Whatever runs in the workspace's folder or was started there. */
  const left = () =>
    runningProcesses().filter(({ pid, environment }) => pid !== process.pid && environment.includes(bench.workspace));

  beforeEach(async () => {
    bench = await createToolWorkspace();
  });
  afterEach(async () => {
    await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 10_000 }); // no test leaves a process behind
    await bench.remove();
  });

  /** Runs a command and aborts it as soon as a file exists. */
  async function runUntilFileExists(
    name: string,
    command: string,
  ): Promise<{ readonly status: string; readonly content: string }> {
    const controller = new AbortController();
    const running = run(command, controller.signal);
    await vi.waitFor(() => expect(existsSync(join(bench.workspace, name))).toBe(true), {
      timeout: 10_000,
      interval: 5,
    });
    await new Promise(setImmediate); // its output so far is read now
    controller.abort();
    return running;
  }

  test("output, stderr and the exit code come in order", async () => {
    expect(await run("echo one; echo two >&2; echo three")).toMatchObject({
      status: "ok",
      content: "one\ntwo\nthree\n[exit code 0]",
    });
    expect(await run("echo no; exit 3")).toMatchObject({ status: "error", content: "no\n[exit code 3]" });
    expect(await run("kill -KILL $$")).toMatchObject({ status: "error", content: "[killed by signal SIGKILL]" });
  });

  test("it runs in the workspace, with quotes, newlines and dollars as bash reads them", async () => {
    expect((await run("pwd")).content).toBe(`${bench.workspace}\n[exit code 0]`);
    expect((await run(`x='a "b" $HOME'\necho "$x" \\\n  '$(id)'`)).content).toBe('a "b" $HOME $(id)\n[exit code 0]');
  });

  test("a command that runs no code of the project starts no program that a repository names", async () => {
    const commit = "git -c user.name=x -c user.email=x@y commit -q --allow-empty -m one";
    const hook = "printf '#!/bin/sh\\ntouch .git/HOOK.ran' > .git/hooks/HOOK && chmod +x .git/hooks/HOOK";
    const make = ["pre-commit", "post-index-change"].map((name) => hook.replaceAll("HOOK", name)).join(" && ");
    const arm = `git config core.fsmonitor 'touch "$PWD/.git/monitor.ran"; false'`;
    const inSub = `git init -q sub && cd sub && ${commit} && ${arm} && cd .. && git add sub 2>/dev/null`;
    execFileSync("bash", ["-c", `git init -q && ${make} && ${arm} && ${inSub}; find . -name '*.ran' -delete`], {
      cwd: bench.workspace,
    });
    const started = () =>
      execFileSync("find", [".", "-name", "*.ran"], { cwd: bench.workspace, encoding: "utf8" }).split("\n").sort();
    const reading = { ...bench.context(), runsNoCode: true };
    await bash.run({ command: "echo a > a.txt; git add a.txt; git status --short; git -C sub status" }, reading);
    expect(started()).toEqual([""]);
    await run(`${commit}; git status --short`);
    expect(started()).toEqual(expect.arrayContaining(["./.git/pre-commit.ran", "./.git/monitor.ran"]));
  });

  test("many commands that end at the same time cause no warning about listeners", async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on("warning", onWarning);
    const commands = Array.from({ length: 12 }, () => run("trap '' TERM; sleep 0.2 & sleep 100", undefined, 50));
    for (const { status } of await Promise.all(commands)) expect(status).toBe("timeout");
    await new Promise(setImmediate); // warnings are emitted later
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  test("there is no input and no terminal", async () => {
    expect((await run("cat; read x; echo $?")).content).toBe("1\n[exit code 0]");
    expect((await run("echo x > /dev/tty")).status).toBe("error");
    expect((await run("test -t 0 || test -t 1 || echo none")).content).toContain("none");
    await run("git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first");
    expect((await run("git log --oneline | wc -l")).content).toBe("1\n[exit code 0]");
    expect((await run("git -p log --format=%s")).content).toBe("first\n[exit code 0]");
  });

  test("commands do not get the API keys of this process", async () => {
    vi.stubEnv("SHEEPDOG_TEST_API_KEY", "canary-value");
    try {
      const { content } = await run("env; cat /proc/self/environ | tr '\\0' '\\n'");
      expect(content).not.toContain("canary-value");
      expect(content).toContain("GIT_TERMINAL_PROMPT=0");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("background jobs that hold the pipe do not delay the result, and are killed with the command", async () => {
    const { status, content } = await run("sleep 4321 & echo done");
    expect(status).toBe("ok");
    // The name is bash until the forked process has become sleep.
    expect(content).toMatch(/^done\n\[processes it left running were killed: (?:sleep|bash)\]\n\[exit code 0\]$/);
  });

  test("daemons that left their group, session and parent are killed with the command", async () => {
    const daemons = [
      "setsid bash -c 'setsid sleep 4322 & exit' & sleep 0.1",
      "(setsid nohup sleep 4323 >/dev/null 2>&1 &)",
    ];
    expect((await run(`${daemons.join("; ")}; echo done`)).status).toBe("ok");
  });

  test("a command that ignores SIGTERM is killed when its time is up", async () => {
    const { status, content } = await run(
      "trap '' TERM HUP INT; echo started; while true; do sleep 0.05; done",
      undefined,
      100,
    );
    expect(status).toBe("timeout");
    expect(content).toBe("started\n[stopped: it ran longer than 100 ms; its effects up to then remain]");
    expect(left()).toEqual([]);
  });

  test("a command that ends on SIGTERM can clean up first", async () => {
    await run("trap 'echo tidy > tidied; exit' TERM; while true; do sleep 0.02; done", undefined, 150);
    expect(await readFile(join(bench.workspace, "tidied"), "utf8")).toBe("tidy\n");
  });

  test("an abort returns the output so far at once, and the kill continues in the background", async () => {
    const { status, content } = await runUntilFileExists(
      "started",
      "trap '' TERM; echo before; setsid sleep 4324 & touch started; sleep 4325; sleep 4326",
    );
    expect({ status, content }).toEqual({
      status: "interrupted",
      content: "before\n[interrupted; its effects up to then remain]",
    });
  });

  test("an abort before the start starts no process", async () => {
    expect(await run("touch started", AbortSignal.abort())).toEqual({
      status: "interrupted",
      content: "The command was not started.",
    });
    expect(existsSync(join(bench.workspace, "started"))).toBe(false);
  });

  test("a flood of output is stopped, and the head and tail of long output stay", async () => {
    const flooded = await bench.call(bashTool({ ...options, maxOutputBytes: 4_000_000 }), { command: "yes" });
    expect(flooded.status).toBe("error");
    expect(flooded.content).toContain("[stopped: its output was too long");
    expect(flooded.content.length).toBeLessThan(300_000);
    const { content } = await run("echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last");
    expect(content).toMatch(/^first\nx+\n\[… \d+ bytes left out here …\]\nx+\nlast\n\[exit code 0\]$/);
  });

  test("a small fork bomb is killed", async () => {
    const define = "bomb() { [ $1 -gt 6 ] && exec sleep 4327; bomb $(($1+1)) & bomb $(($1+1)) & wait; }";
    const bomb = `${define}; trap '' TERM; touch started; bomb 0`;
    expect((await runUntilFileExists("started", bomb)).status).toBe("interrupted");
  });

  test("a file that grows without end is stopped by the system", async () => {
    const limited = bashTool({ ...options, maxFileMb: 1 });
    const { status } = await bench.call(limited, { command: "yes > big" });
    expect(status).toBe("error");
    expect((await readFile(join(bench.workspace, "big"))).length).toBeLessThanOrEqual(1024 * 1024);
  });

  test("binary output and overwritten lines become readable", async () => {
    expect((await run("printf 'a\\xff\\xfeb\\n'")).content).toBe("a\ufffd\ufffdb\n[exit code 0]");
    expect((await run("printf '10%%\\r20%%\\r100%%\\ndone\\r\\n'")).content).toBe("100%\ndone\n[exit code 0]");
  });

  test("a missing workspace and impossible commands are reported", async () => {
    const gone = await mkdtemp(join(bench.outside, "gone-"));
    await rm(gone, { recursive: true });
    expect(await bash.run({ command: "echo hi" }, { ...bench.context(), workspace: gone })).toEqual({
      status: "error",
      content: "The workspace folder does not exist any more: the command was not started.",
    });
    expect((await run('rm -rf "$PWD"; echo still')).content).toContain("still");
    await expect(run("a\0b")).rejects.toThrow("NUL");
    await expect(run(`echo ${"x".repeat(200_000)}`)).rejects.toThrow("write a script");
  });

  test("a script may have a hostile name", async () => {
    await writeFile(join(bench.workspace, "$(touch owned).sh"), "echo ran");
    expect((await run("bash './$(touch owned).sh'")).content).toBe("ran\n[exit code 0]");
    expect(existsSync(join(bench.workspace, "owned"))).toBe(false);
  });
});

test("the process tables of ps and /proc show the same parents and groups", () => {
  const ours = fromPs().find(({ pid }) => pid === process.pid);
  const same = runningProcesses().find(({ pid }) => pid === process.pid);
  expect(ours).toMatchObject({ parent: process.ppid, group: same?.group });
});
