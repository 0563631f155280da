import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, isBuilt } from "./sandbox.ts";

const esc = "\u001b";

describe.skipIf(!isBuilt).concurrent("the output of a run", () => {
  test("in a pipe, is the answer on stdout; stderr has the address and a line for each turn", async (context) => {
    const { run, file } = await createSandbox(context, [
      { text: "I look. ", calls: [{ tool: "read", input: { path: "a.txt" } }] },
      { text: "Rex.\n\tIndented." },
    ]);
    await file("a.txt", "Rex\n");
    expect(await run(["run", "Who is it?"])).toMatchObject({
      code: 0,
      out: "Rex.\n\tIndented.\n",
      err: expect.stringMatching(
        /^sheepdog: The model is anthropic:\S+ at http:\/\/127\.0\.0\.1:\d+\/v1\nturn 1: read a\.txt ✓ 0\.\d s\n$/,
      ),
    });
  });

  test("with --json, does not load the library for comparing texts", async (context) => {
    const { run, file } = await createSandbox(context, [
      { calls: [{ tool: "edit", input: { path: "a.txt", old: "Rex", new: "Bello" } }] },
      { text: "Done." },
    ]);
    await file("a.txt", "Rex\n");
    const hooks = `export async function load(url, context, next) {
      if (/dist.diff-[A-Za-z0-9_-]{8}[.]js/.test(url)) throw new Error("diff was loaded");
      return next(url, context);
    }`;
    const dataUrl = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
    const register = `import { register } from "node:module"; register("${dataUrl(hooks)}");`;
    const env = { NODE_OPTIONS: `--import=${dataUrl(register)}` };
    const { code, out, err } = await run(["run", "--json", "Rename it."], { env });
    expect([code, JSON.parse(out).text, err]).toEqual([0, "Done.", expect.stringMatching(/\nturn 1: edit .*\n$/)]);
  });

  test("has progress with --verbose and none with --quiet", async (context) => {
    const { run, file } = await createSandbox(context, [], ({ index }) =>
      index % 2 === 0 ? { text: "I look. ", calls: [{ tool: "read", input: { path: "a.txt" } }] } : { text: "Rex." },
    );
    await file("a.txt", "Rex\n");
    const verbose = await run(["run", "--verbose", "Who is it?"]);
    expect(verbose.out).toBe("Rex.\n");
    expect(verbose.err).toContain("I look.");
    expect(verbose.err).toMatch(/read a\.txt {2}✓ \d/);
    expect(await run(["run", "--quiet", "Who is it?"])).toMatchObject({ code: 0, out: "Rex.\n", err: "" });
  });

  test("has no secret of the answer, in any form of it", async (context) => {
    const secrets = [`ghp_${"a1B2c3".repeat(6)}`, `sk-ant-api03-${"x9Y8z7".repeat(12)}`, "hunter2swordfish"];
    const text = `Push with ${secrets[0]}, ask with ${secrets[1]}, and set password=${secrets[2]} in .env.`;
    const { run } = await createSandbox(context, [], { text, deltaChars: 7 });
    for (const option of [[], ["--json"], ["--stream-json"]]) {
      const { code, out, err } = await run(["run", ...option, "Which keys are there?"]);
      expect([code, secrets.filter((secret) => `${out}${err}`.includes(secret))]).toEqual([0, []]);
      expect(out).toContain("Push with ");
    }
  });

  test("has no control sequences, whatever the model writes", async (context) => {
    const hostile =
      `${esc}]0;owned\u0007${esc}[2J${esc}]52;c;aGk=${esc}\\\u009b31mred` + `${esc}P1;2q${esc}\\\u202eevil\u2066!`;
    const { run } = await createSandbox(context, [], { text: `Hello ${hostile} there.`, deltaChars: 1 });
    const { out } = await run(["run", "--verbose", "Say it."]);
    expect(out).toBe("Hello redevil! there.\n");
    const { out: json } = await run(["run", "--json", "Say it."]);
    expect(json).not.toMatch(new RegExp(`[${esc}\u0080-\u009f\u202e\u2066]`));
    expect(JSON.parse(json)).toMatchObject({ text: `Hello ${hostile} there.` });
  });

  test("may lose its reader, which cancels the run", async (context) => {
    const { run, server } = await createSandbox(context, [], { fault: { type: "endless", text: "word after word, " } });
    const { out, err } = await run(["run", "--stream-json", "--set", "agent.guardian.enabled=false", "Talk."], {
      shell: '{ "$@"; echo "ended with $?" >&2; } | head -n 5',
    });
    expect(out.trimEnd().split("\n")).toHaveLength(5); // the request has been sent
    expect(err).toMatch(/cancelled.* To resume: sheepdog run --resume ses_\w+\nended with 130\n$/);
    expect(await server.requests[0]?.outcome).toBe("left");
  });

  test.skipIf(!existsSync("/dev/full"))("reports a full device in one sentence", async (context) => {
    const { run } = await createSandbox(context, [], { text: "Hello." });
    for (const flag of [[], ["--json"]]) {
      const { code, err } = await run(["run", ...flag, "Say hello."], { shell: '"$@" > /dev/full' });
      expect([code, err.split("\n").slice(1)]).toEqual([
        1,
        ["sheepdog: the output cannot be written (ENOSPC: no space left on device, write)", ""],
      ]);
    }
  });

  test("has warnings as sentences, in every command", async (context) => {
    const { run } = await createSandbox(context, []);
    const emitWarning = "data:text/javascript,process.once('beforeExit',()=>process.emitWarning('Unlogged.'))";
    const { out, err } = await run(["config", "show"], { env: { NODE_OPTIONS: `--import=${emitWarning}` } });
    expect([err, out.length > 0]).toEqual(["sheepdog: Unlogged.\n", true]);
  });

  test("never contains the API key, and neither do the saved files", async (context) => {
    const { run, home, env } = await createSandbox(context, [
      { fault: { type: "status", status: 401, message: "invalid x-api-key quiet-shepherd-canary-7731" } },
    ]);
    const { out, err } = await run(["run", "--json", "--verbose", "Hello."]);
    const key = env["ANTHROPIC_API_KEY"] ?? "";
    const savedFiles = await Promise.all(
      (await readdir(home, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")),
    );
    expect(savedFiles.length).toBeGreaterThan(0);
    for (const text of [out, err, ...savedFiles]) expect(text).not.toContain(key);
  });
});
