import { once } from "node:events";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { resolveHome } from "../../src/home.ts";
import { buildMark } from "../../src/hook/build-mark.ts";
import { type HookServer, startHookServer } from "../../src/hook/hook-server.ts";
import { isBuilt } from "../is-built.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { event, failingCall, runHook, silent, spool } from "./run-hook.ts";

const file = scratchFolder();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function newHome() {
  return resolveHome({ SHEEPDOG_HOME: join(dirname(await file("home/x", "")), "sheepdog") });
}

async function serve(home: Awaited<ReturnType<typeof newHome>>, build = buildMark()): Promise<HookServer> {
  const server = await startHookServer(home, build);
  if (server === undefined) throw new Error("There is no server.");
  open.push(server);
  return server;
}

/** Whether each hook so far was answered by the server. */
const isByServer = (dir: string) =>
  spool(dir).flatMap((line) => (line.type === "hook" ? [line.isDaemon === true] : []));

describe.skipIf(!isBuilt)("a hook while `sheepdog serve` runs", () => {
  test("is answered by it, from the same files", async () => {
    const home = await newHome();
    await runHook(home.dir, event("SessionStart"));
    const server = await serve(home);
    expect(statSync(home.hookSocket).mode & 0o777).toBe(0o600);
    const answers: string[] = [];
    for (let index = 0; index < 4; index++) {
      if (index === 3) await server.close();
      const { before, after, end } = failingCall(index);
      await runHook(home.dir, before);
      await runHook(home.dir, after);
      answers.push((await runHook(home.dir, end)).stdout);
    }
    expect(existsSync(home.hookSocket)).toBe(false);
    expect(answers.map((answer) => answer.includes("additionalContext"))).toEqual([false, false, true, true]);
    const byServer = isByServer(home.dir);
    expect(byServer.slice(1, 10)).toContain(true); // each of them, unless the machine is busy for 300 ms
    expect([byServer[0], ...byServer.slice(10)]).toEqual([false, false, false, false]);
  });

  test("answers itself where the server is another build, or the configuration has changed", async () => {
    const home = await newHome();
    await serve(home);
    expect(await runHook(home.dir, event("SessionStart"))).toEqual(silent); // there were no settings
    await open.pop()?.close();
    await serve(home, "another build");
    expect(await runHook(home.dir, failingCall(1).before)).toEqual(silent);
    expect(isByServer(home.dir)).toEqual([false, false]);
  });

  test("answers itself where the server hangs, or only its socket is left", async () => {
    const home = await newHome();
    mkdirSync(home.attachDir, { recursive: true });
    const hanging = await new Promise<Server>((resolve) => {
      const server = createServer(() => {}).listen(home.hookSocket, () => resolve(server));
    });
    expect(await runHook(home.dir, event("SessionStart"))).toEqual(silent);
    expect(await startHookServer(home, buildMark())).toBeUndefined(); // a running server keeps its socket
    hanging.close();
    expect(isByServer(home.dir)).toEqual([false]);
  });

  test("that hangs does not keep the server from ending", async () => {
    const home = await newHome();
    const server = await serve(home);
    const hanging = connect({ path: home.hookSocket, allowHalfOpen: true });
    await once(hanging, "connect");
    await server.close();
    hanging.destroy();
  });

  test("loses no event of 20 hooks at once, answered here and there", async () => {
    const home = await newHome();
    await runHook(home.dir, event("SessionStart"));
    await serve(home);
    const calls = Array.from({ length: 20 }, (_, index) => failingCall(index).before);
    const half = runHook(home.dir, calls[0] ?? "");
    const others = calls.slice(1).map((call) => runHook(home.dir, call));
    expect(await Promise.all([half, ...others])).toEqual(calls.map(() => silent));
    expect(spool(home.dir).filter(({ type }) => type === "call")).toHaveLength(20);
  });
});
