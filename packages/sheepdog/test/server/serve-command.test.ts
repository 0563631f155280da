import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { RunDetail } from "@sheepdog/web/contract";
import { describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { main } from "../../src/cli.ts";
import { browserCommand } from "../../src/server/open-browser.ts";
import { type FakeIo, fakeIo } from "../fake-io.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { openTestHome } from "../test-home.ts";
import { followStream } from "./stream-reader.ts";

const file = scratchFolder();

interface Served {
  readonly io: FakeIo;
  readonly ended: Promise<number>;
  /** The printed address. */
  readonly url: URL;
  readonly token: string;
}

/** Runs `sheepdog serve` until the test ends. */
async function serve(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  home: string,
  ...argv: readonly string[]
): Promise<Served> {
  await mkdir(home, { recursive: true });
  const io = fakeIo({ env: { SHEEPDOG_HOME: home, HOME: home, CI: "1" }, cwd: home });
  const ended = main(["serve", ...argv], io);
  onTestFinished(async () => {
    io.interrupt();
    await ended;
  });
  await expect.poll(() => io.out(), { timeout: 10_000 }).toMatch(/\n$/);
  const url = new URL(io.out().trim());
  return { io, ended, url, token: url.hash.replace("#token=", "") };
}

describe("sheepdog serve", () => {
  test("prints one line, the address with the token, and ends at once when it is interrupted", async (context) => {
    const home = await file("home");
    const { io, ended, url, token } = await serve(context, home, "--port", "0");
    expect(io.out()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/);
    const port = Number(url.port);
    const reader = await followStream({ port, token });
    expect(reader.status).toBe(200);
    io.interrupt();
    expect(await ended).toBe(0);
    await reader.ended;
    expect([io.err(), JSON.parse(await readFile(join(home, "serve.json"), "utf8")).servers]).toEqual(["", []]);
    expect(existsSync(join(home, "sheepdog.db"))).toBe(false); // a server only reads
  });

  test("says at a terminal what the address is and how to end it; stdout is the address only", async (context) => {
    const home = await file("home");
    await mkdir(home, { recursive: true });
    const io = fakeIo({ env: { SHEEPDOG_HOME: home, HOME: home, CI: "1" }, cwd: home, isTTY: true });
    const ended = main(["serve", "--port", "0", "--no-open"], io);
    context.onTestFinished(async () => {
      io.interrupt();
      await ended;
    });
    await expect.poll(() => io.err(), { timeout: 10_000 }).toContain("Ctrl-C ends the server");
    expect(io.out()).toMatch(/^http:\S+\n$/);
  });

  test("fault 84: takes the next port if its own is in use, also for a second server on one home", async (context) => {
    const home = await file("home");
    const [first, second] = [await serve(context, home), await serve(context, home)];
    expect(Number(second.url.port)).toBeGreaterThan(Number(first.url.port));
    for (const { url, token } of [first, second]) {
      const answer = await fetch(new URL("/api/openapi.json", url), { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
    }
  });

  test("fault 84: a port that was asked for and is in use is an error", async (context) => {
    const other = createServer().listen(0, "127.0.0.1");
    context.onTestFinished(() => void other.close());
    await expect.poll(() => other.listening).toBe(true);
    const { port } = other.address() as AddressInfo;
    const home = await file("home");
    await mkdir(home);
    const io = fakeIo({ env: { SHEEPDOG_HOME: home, HOME: home }, cwd: home });
    expect(await main(["serve", "--port", String(port)], io)).toBe(2);
    expect([io.out(), io.err()]).toEqual([
      "",
      `sheepdog: port ${port} is in use; choose another with --port, or leave it out for the next free one\n`,
    ]);
  });

  test.each([
    [
      ["--host", "0.0.0.0"],
      "0.0.0.0 can be reached from other machines, and the server does not encrypt; prefer ssh -L",
    ],
    [["--host", "::"], ":: can be reached from other machines"],
    [["--host", "192.168.1.4"], "192.168.1.4 can be reached from other machines"],
    [["--host", "127.0.0.1.evil.com"], "127.0.0.1.evil.com can be reached from other machines"],
    [["--host", "192.0.2.1", "--allow-remote"], "this machine has no address 192.0.2.1; change --host"],
    [["--port", "99999"], '"99999" is not a port'],
    [["--port", "-1"], '"-1" is not a port'],
    [["--port", "http"], '"http" is not a port'],
  ])("fault 84: %j is refused with a sentence", async (argv, sentence) => {
    const home = await file("home");
    await mkdir(home);
    const io = fakeIo({ env: { SHEEPDOG_HOME: home, HOME: home }, cwd: home });
    expect(await main(["serve", ...argv], io)).toBe(2);
    expect([io.out(), io.err()]).toEqual(["", expect.stringContaining(`sheepdog: ${sentence}`)]);
  });

  test.each([
    ["0.0.0.0", /^127\.0\.0\.1:\d+$/],
    ["::", /^\[::1\]:\d+$/],
  ])("fault 84: with --allow-remote it listens on %s, needs the token, and warns", async (host, printed) => {
    const home = await file("home");
    const { io, url, token } = await serve({ onTestFinished }, home, "--host", host, "--allow-remote", "-p", "0");
    expect(io.err()).toBe("sheepdog: other machines can reach this server, and nothing it sends is encrypted\n");
    expect(url.host).toMatch(printed); // the server refuses the address of all interfaces as a host
    const target = new URL("/api/openapi.json", url);
    expect((await fetch(target)).status).toBe(401);
    expect((await fetch(target, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  test("fault 84: it listens on IPv6 if asked to", async (context) => {
    const { url, token } = await serve(context, await file("home"), "--host", "::1", "-p", "0");
    expect(url.host).toMatch(/^\[::1\]:\d+$/);
    const answer = await fetch(new URL("/api/openapi.json", url), { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  });

  test("an agent cannot start it: with its token it could approve its own calls", async () => {
    const home = await file("home");
    for (const argv of [["serve"], ["show", "last", "--web"]]) {
      const io = fakeIo({ env: { SHEEPDOG_HOME: home, HOME: home, SHEEPDOG_CALL: "call_1" } });
      expect([argv, await main(argv, io), io.out()]).toEqual([argv, 2, ""]);
      expect(io.err()).toContain("agents must not change their own limits");
    }
  });
});

describe("sheepdog show --web", () => {
  test("prints the page of a run on the server that runs, or starts one", async (context) => {
    const folder = await file("home");
    const { runPrompt, close, env } = await openTestHome(folder);
    const { runId } = await runPrompt("ses_a", "Say.", [{ text: "Done." }]);
    await close();
    const started = fakeIo({ env: { ...env, CI: "1" }, cwd: folder });
    const ended = main(["show", "last", "--web"], started);
    await expect.poll(() => started.out(), { timeout: 10_000 }).toMatch(/\n$/);
    const url = new URL(started.out().trim());
    expect(url.pathname).toBe(`/runs/${runId}`);
    const reused = fakeIo({ env: { ...env, CI: "1" }, cwd: folder });
    expect(await main(["show", "ses_a", "--web"], reused)).toBe(0);
    expect(reused.out()).toBe(started.out());
    context.onTestFinished(() => started.interrupt());
    started.interrupt();
    expect(await ended).toBe(0);
  });
});

test("sheepdog demo --web shows the demo, and then the page of its second run", async (context) => {
  const folder = await file("demo");
  const io = fakeIo({ env: { HOME: folder, SHEEPDOG_HOME: folder, CI: "1" }, cwd: folder });
  context.onTestFinished(() => io.interrupt());
  const ended = main(["demo", "--fast", "--web"], io);
  await expect.poll(() => io.out(), { timeout: 60_000 }).toMatch(/http:\S+\/runs\/run_\S+#token=\S+\n$/);
  const { origin, pathname, hash } = new URL(io.out().trim().split("\n").at(-1) ?? "");
  const headers = { authorization: `Bearer ${hash.replace("#token=", "")}` };
  const { run } = (await (await fetch(`${origin}/api${pathname}`, { headers })).json()) as RunDetail;
  expect(run.costUsd).toBeGreaterThan(0); // the page shows what its events say; nothing was paid
  io.interrupt();
  expect(await ended).toBe(0);
}, 90_000); // it plays both runs

test("a browser is opened only where there is a screen", () => {
  expect(browserCommand({ DISPLAY: ":0" }, "linux")).toBe("xdg-open");
  expect(browserCommand({ WAYLAND_DISPLAY: "wayland-0" }, "linux")).toBe("xdg-open");
  expect(browserCommand({}, "darwin")).toBe("open");
  for (const env of [{}, { DISPLAY: ":0", CI: "true" }, { DISPLAY: ":0", SSH_CONNECTION: "x" }])
    expect(browserCommand(env, "linux")).toBeUndefined();
});
