import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, realpath, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { bashTool } from "../bash-tool.ts";
import { sandboxModes } from "../testing/sandbox-modes.ts";
import { canary, createSandboxWorkspace, type SandboxWorkspace } from "../testing/sandbox-workspace.ts";
import { findSandbox } from "./find-sandbox.ts";
import { trySandbox } from "./try-sandbox.ts";

const [, { isAvailable, name }] = await sandboxModes();

describe.skipIf(!isAvailable)(name, () => {
  let bench: SandboxWorkspace;
  let home: string;
  let file: SandboxWorkspace["file"];
  let run: SandboxWorkspace["run"];

  beforeEach(async () => {
    bench = await createSandboxWorkspace();
    ({ home, file, run } = bench);
  });
  afterEach(() => bench.remove());

  test("files outside can be neither read nor changed, wherever they are", async () => {
    const outside = [
      join(bench.outside, "secret"),
      join(home, "secret"),
      join(home, ".ssh/id_ed25519"),
      join(home, ".aws/credentials"),
      join(home, ".config/gh/hosts.yml"),
      join(home, ".cargo/credentials.toml"),
      join(home, ".local/share/uv/credentials/credentials.toml"),
      join(home, ".dotnet/corefx/cryptography/x509stores/my/key.pfx"),
      join(home, ".npmrc"),
      join(home, ".sheepdog/config.toml"),
    ];
    for (const path of outside) {
      await file(path);
      const content = await run(`cat '${path}'; echo changed > '${path}'; rm -f '${path}'; mv '${path}' x`);
      expect([path, content.includes(canary)]).toEqual([path, false]);
      expect([path, await readFile(path, "utf8")]).toEqual([path, canary]);
    }
  });

  test("the system is read-only", async () => {
    const content = await run("touch /usr/canary; touch /etc/canary; touch /canary; ls /etc/passwd");
    expect(content.match(/Read-only file system/g)).toHaveLength(3);
    expect(content).toContain("/etc/passwd");
  });

  const isRoot = process.getuid?.() === 0;
  test.skipIf(!isRoot)(`root cannot change the kernel's settings${isRoot ? "" : " (skipped: not root)"}`, async () => {
    const settings = [
      "/proc/sys/kernel/core_pattern",
      "/proc/sys/kernel/modprobe",
      "/proc/sysrq-trigger",
      "/proc/mtrr",
    ];
    const present = settings.filter((path) => existsSync(path));
    const opened = "{ exec 3>>$file; } 2>/dev/null && echo opened $file";
    expect(await run(`for file in ${present.join(" ")}; do ${opened}; done; true`)).toBe("[exit code 0]");
    const everywhere = "find /proc /sys/kernel -path '/proc/[0-9]*' -prune -o -type f -perm /222 -print";
    expect(await run(`${everywhere} 2>/dev/null | while read -r file; do ${opened}; done; true`)).toBe("[exit code 0]");
  });

  test.each([
    "mount -o remount,bind,rw /proc/sys",
    "umount /proc/sys",
    "mount -t proc proc /tmp && cd /tmp/sys/kernel",
  ])("a user namespace in the sandbox does not make them writable: %s", async (change) => {
    const open = "cd /proc/sys/kernel; CHANGE 2>/dev/null; { exec 3>>$PWD/core_pattern; } 2>/dev/null && echo opened";
    const attack = open.replace("CHANGE", change);
    for (const options of ["-Um", "-Urm", "-Urmpf", "-Um --map-user=1000"])
      expect(await run(`unshare ${options} bash -c '${attack}'; true`)).not.toContain("opened");
  });

  test.skipIf(!isRoot)("a sandbox that leaves a setting of the kernel writable is not used", async () => {
    const found = await findSandbox({ workspace: bench.workspace });
    if (!found.isAvailable) throw new Error(found.reason);
    const { sandbox } = found;
    const leaky: typeof sandbox = {
      ...sandbox,
      wrap(request) {
        const { argv, environment } = sandbox.wrap(request);
        const at = argv.findIndex((arg, index) => arg === "/proc/sys" && argv[index - 1] === "--ro-bind");
        return { argv: [argv[0], ...argv.slice(1, at - 1), ...argv.slice(at + 2)], environment };
      },
    };
    expect(await trySandbox(leaky, bench.workspace)).toEqual({
      isAvailable: false,
      reason: expect.stringMatching(/^Bubblewrap leaves \/proc\/sys\/\S+ writable\.$/),
      fix: expect.stringContaining("not root"),
    });
  });

  test("secrets of the system, sockets and the processes of others are hidden", async () => {
    expect(await run("ls -A /etc/ssh /run /var/run 2>&1 | grep -v :; true")).not.toMatch(/^\w/m);
    expect(await run("cat /etc/shadow")).not.toContain("root");
    const pids = (await run("ls /proc | grep -c '^[0-9]'")).split("\n")[0];
    expect(Number(pids)).toBeLessThan(8);
    expect(await run("kill -0 $(( $$ + 100000 )) 2>/dev/null || echo none")).toContain("none");
  });

  test("a folder with secrets in the workspace can be hidden", async () => {
    await file(join(bench.workspace, "state/secret"));
    const content = await run("ls -A state; touch state/x", { hidden: [join(bench.workspace, "state")] });
    expect(content).toContain("Read-only file system");
    expect(content).not.toContain("secret");
  });

  test("a link in the workspace that leads out shows nothing", async () => {
    await file(join(bench.outside, "secret"));
    await symlink(bench.outside, join(bench.workspace, "out"));
    await symlink(home, join(bench.workspace, "home"));
    expect(await run("cat out/secret; cat home/.gitconfig; echo x > out/secret")).not.toContain(canary);
    expect(await readFile(join(bench.outside, "secret"), "utf8")).toBe(canary);
  });

  test("the workspace is writable, and the home folder and /tmp are private", async () => {
    await run("echo a > a.txt && mkdir -p b/c && echo x > ~/x && echo x > /tmp/x && echo x > /var/tmp/x");
    expect(await readFile(join(bench.workspace, "a.txt"), "utf8")).toBe("a\n");
    expect(await run("ls ~ /tmp/x /var/tmp/x; pwd")).not.toMatch(/^x$/m);
    expect(await run("pwd")).toBe(`${await realpath(bench.workspace)}\n[exit code 0]`);
  });

  test("the network is off, and the result says so", async () => {
    const server = createServer((_, response) => response.end(canary));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port
    try {
      expect(await run(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo open`)).not.toContain("open");
      const fetched = await run(
        "node -e \"fetch('http://example.org').catch((e) => { console.log(e.cause); process.exit(1) })\"",
      );
      expect(fetched).toContain("[The network is off in the sandbox of this command.]");
    } finally {
      server.close();
    }
  });

  test("an allowed host is reached through the proxy, and no other one", async () => {
    const server = createServer(({ url, headers }, response) => response.end(`${url} for ${headers.host}`));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port
    const listed = `127.0.0.1:${port}`;
    const viaProxy = (lines: readonly string[]) => {
      const sent = lines.map((line) => `printf '${line}\\r\\n' >&3`).join("; ");
      return run(`exec 3<>/dev/tcp/127.0.0.1/\${HTTP_PROXY##*:}; ${sent}; cat <&3`, { hosts: [listed] });
    };
    try {
      const plain = (host: string) => [`GET http://${host}/a HTTP/1.1`, "Host: evil.example", "Connection: close", ""];
      expect(await viaProxy(plain(listed))).toContain(`/a for ${listed}`);
      const inner = [`GET /b HTTP/1.1`, "Host: x", "Connection: close", ""];
      const tunnel = (host: string) => [`CONNECT ${host} HTTP/1.1`, "", ...inner];
      expect(await viaProxy(tunnel(listed))).toMatch(/200 Connection[\s\S]*\/b for x/);
      for (const other of [`localhost:${port}`, "127.0.0.1:22", "example.org:443"]) {
        expect(await viaProxy(plain(other))).toMatch(/^HTTP\/1.1 403/);
        expect(await viaProxy([`CONNECT ${other} HTTP/1.1`, ""])).toMatch(/^HTTP\/1.1 403/);
      }
      expect(await run(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo open`, { hosts: [listed] })).not.toContain("open");
    } finally {
      server.close();
    }
  });

  test("a server on this machine works inside one command", async () => {
    const script =
      "const s = require('http').createServer((_, r) => r.end('hello')).listen(0, '127.0.0.1', async () => {" +
      "console.log(await (await fetch('http://127.0.0.1:' + s.address().port)).text()); s.close() })";
    expect(await run(`node -e "${script}"`)).toBe("hello\n[exit code 0]");
  });

  test("node, npm and git work", async () => {
    const script = { name: "x", scripts: { test: "node -e \"console.log('tested')\"" } };
    await file(join(bench.workspace, "package.json"), JSON.stringify(script));
    expect(await run("node -p 6*7 && npm test --silent && git --version")).toMatch(/^42\ntested\ngit version/);
  });

  test("programs in the home folder are found when PATH leads there, also by a link", async () => {
    const program = await file(join(home, ".nvm/versions/v1/bin/my-tool"), "#!/bin/sh\ncat $(dirname $0)/../lib/data");
    await file(join(home, ".nvm/versions/v1/lib/data"), "from the home folder\n");
    await chmod(program, 0o755);
    const prefix = join(home, "apps/tool");
    await file(join(prefix, "lib/data"), "from an installation\n");
    await chmod(await file(join(prefix, "bin/other-tool"), "#!/bin/sh\ncat $(dirname $0)/../lib/data"), 0o755);
    await mkdir(join(home, "links"));
    await symlink(join(prefix, "bin"), join(home, "links/current"));
    vi.stubEnv("PATH", `${dirname(program)}:${join(home, "links/current")}:${process.env["PATH"]}`);
    expect(await run("my-tool; other-tool; touch ~/.nvm/x")).toContain("from the home folder\nfrom an installation\n");
    expect(await run("touch ~/.nvm/x")).toContain("Read-only file system");
  });

  test("a folder of PATH shows no secrets that are known to be in it", async () => {
    const secret = await file(join(home, ".dotnet/corefx/cryptography/x509stores/my/key.pfx"));
    await file(join(home, ".dotnet/sdk/version"), "9");
    vi.stubEnv("PATH", `${join(home, ".dotnet")}:${process.env["PATH"]}`);
    expect(await run(`cat ~/.dotnet/sdk/version ${secret}`)).toMatch(/^9cat: .*No such file/);
  });

  test("a workspace in the home folder stays visible, and its neighbours do not", async () => {
    const workspace = join(home, "projects/one");
    await file(join(workspace, "a.txt"), "in the project");
    await file(join(home, "projects/two/secret"));
    const content = await run("cat a.txt ../two/secret; ls ..; echo new > b.txt", { workspace });
    expect(content).toContain("in the project");
    expect(content).not.toContain(canary);
    expect(content).not.toMatch(/^two$/m);
    expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("new\n");
  });

  test(".sheepdog in the workspace is read-only", async () => {
    await file(join(bench.workspace, ".sheepdog/config.toml"));
    expect(await run("echo x > .sheepdog/config.toml; mv .sheepdog y")).toMatch(/Read-only[\s\S]*busy/);
  });

  test("no process outlives a command, and no privilege is gained", async () => {
    await file(join(bench.workspace, "daemon.sh"), "setsid env -i sleep 4328 &\n");
    expect(await run("sh daemon.sh; sleep 0.05")).toContain("[processes it left running were killed: sleep]");
    expect(await run("grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status")).toMatch(
      /CapEff:\s+0+\nNoNewPrivs:\s+1/,
    );
  });

  test("a call that was allowed to reach beyond the workspace runs outside", async () => {
    const path = await file(join(bench.outside, "outside.txt"));
    expect(await run(`cat ${path}`, { leavesSandbox: true })).toBe(`${canary}\n[exit code 0]`);
  });

  test("a sandbox that cannot be started runs nothing", async () => {
    const found = await findSandbox({ workspace: bench.workspace });
    if (!found.isAvailable) throw new Error(found.reason);
    const { sandbox } = found;
    const broken: typeof sandbox = {
      ...sandbox,
      wrap(request) {
        const { argv, environment } = sandbox.wrap(request);
        const [program, ...args] = argv;
        return { argv: [program, "--ro-bind", "/missing", "/missing", ...args], environment };
      },
    };
    const outcome = await bench.call(bashTool({ sandbox: broken }), { command: "touch started" });
    expect(outcome).toMatchObject({
      status: "error",
      content: expect.stringMatching(/could not be started .*not run/),
    });
  });
});

test.skipIf(!isAvailable)(
  "a proxy that cannot be started is a reason without a sandbox, and is tried again",
  async () => {
    const options = { workspace: import.meta.dirname, hosts: ["once.example.org"] };
    vi.stubEnv("TMPDIR", "/missing");
    try {
      const { isAvailable: hasSandbox, ...why } = await findSandbox(options);
      expect(hasSandbox).toBe(false);
      expect(why).toMatchObject({ reason: expect.stringMatching(/^The sandbox could not be prepared \(ENOENT/) });
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await findSandbox(options)).toMatchObject({ isAvailable: true });
  },
);

test("the home folder as the workspace has no sandbox", async () => {
  vi.stubEnv("HOME", "/tmp");
  try {
    expect(await findSandbox({ workspace: "/tmp" })).toMatchObject({ isAvailable: false });
  } finally {
    vi.unstubAllEnvs();
  }
});
