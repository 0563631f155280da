import { lstat, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, isBuilt } from "./sandbox.ts";

/** Keys without a known form: only their values can be recognised. */
const providerKey = "quiet-shepherd-canary-7731"; // the key of the sandbox
const otherKey = "gentle/meadow+canary~4242";
const addressPassword = "brave-lamb-canary-9090";
const canaries = [providerKey, otherKey, addressPassword];

/** Everything that could be read of a key. */
function spellings(key: string): readonly string[] {
  const bytes = Buffer.from(key);
  const shifted = (before: string) => Buffer.from(`${before}${key}`).toString("base64");
  return [
    key,
    encodeURIComponent(key),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...[shifted(""), shifted("u:"), shifted("me:")],
    bytes.toString("base64url"),
    JSON.stringify(JSON.stringify(key)),
  ];
}

/** A part of each spelling that is long enough to be no accident. */
const forbidden = canaries.flatMap((key) => spellings(key).map((text) => text.slice(6, 24)));
const everything = canaries.flatMap(spellings).join("\n");
const env = {
  SERVICE_TOKEN: otherKey,
  DATABASE_URL: `postgres://app:${addressPassword}@db.example.org/x`,
};

describe.skipIf(!isBuilt)("keys in use", () => {
  test("are in no output and in no file, whatever a server, a file or a command says", async (context) => {
    const { run, file, home, workspace } = await createSandbox(context, [
      {
        thinking: `I think of ${providerKey}.`,
        text: `The key is ${providerKey}, and:\n${everything}\nThat is all.`,
        calls: [
          { tool: "read", input: { path: "keys.txt" } },
          { tool: "bash", input: { command: "env; cat keys.txt" } },
          { tool: "grep", input: { pattern: "canary", note: everything } },
          { tool: `tool_${providerKey}`, input: { note: everything } },
          { tool: "memory_write", input: { fact: everything.slice(0, 1_500) }, id: providerKey },
        ],
        deltaChars: 5,
      },
      { text: `I am done with ${everything}` },
      { fault: { type: "status", status: 400, message: `Wrong: ${everything}` } },
    ]);
    await file("keys.txt", everything);
    const outputs = [
      await run(["run", "--stream-json", "--set", "agent.log.level=3", `Look at ${providerKey}`], { env }),
      await run(["run", "--verbose", "--set", "agent.log.level=3", "Again"], { env }),
      await run(["runs", "--json"], { env }),
      await run(["show", "--json"], { env }),
      await run(["show"], { env }),
      await run(["config", "show"], { env }),
      await run(["cost"], { env }),
      await run(["memory", "list"], { env }),
      await run(["run", "--json", "--set", `model.base_url=http://u:${addressPassword}@127.0.0.1:9/v1`, "x"], { env }),
    ];
    expect(outputs[0]?.out).toContain('"type":"RunComplete"');
    for (const { out, err } of outputs) {
      expect(found(out)).toEqual([]);
      expect(found(err)).toEqual([]);
    }
    const files = await filesBelow(home);
    expect(files.map(({ path }) => path).join()).toMatch(/sheepdog\.db/);
    expect(files.filter(({ text }) => found(text).length > 0).map(({ path, text }) => [path, found(text)])).toEqual([]);
    expect(workspace).not.toBe(home);
  }, 120_000);

  test("are not in the environment of a command", async (context) => {
    const { run, file, workspace } = await createSandbox(context, [
      { calls: [{ tool: "bash", input: { command: "node show.js" } }] },
      { text: "Done." },
    ]);
    await file("show.js", "require('fs').writeFileSync('seen.txt', JSON.stringify(process.env))");
    await run(["run", "Look"], { env });
    const seen = await readFile(join(workspace, "seen.txt"), "utf8");
    expect(seen).toContain('"PATH":');
    expect(seen).not.toMatch(/canary|SERVICE_TOKEN|DATABASE_URL|API_KEY/);
  }, 60_000);

  test("with the umask 000, every file is readable by its owner only", async (context) => {
    const { run, home } = await createSandbox(context, [{ text: "Done." }]);
    await run(["run", "--set", "agent.log.level=3", "Look"], { env, shell: 'umask 000; exec "$@"' });
    const open = (await filesBelow(home)).filter(({ mode }) => (mode & 0o077) !== 0);
    expect(open.map(({ path, mode }) => [path, mode.toString(8)])).toEqual([]);
    expect((await lstat(home)).mode & 0o077).toBe(0);
  }, 60_000);

  test("a link in place of the log folder of a session is not followed", async (context) => {
    const { run, home, workspace } = await createSandbox(context, [{ text: "One." }, { text: "Two." }]);
    await run(["run", "--set", "agent.log.level=3", "Look"], { env });
    const [session = ""] = await readdir(join(home, "logs"));
    const [log = ""] = await readdir(join(home, "logs", session));
    const target = join(workspace, "target.txt");
    await writeFile(target, "untouched");
    const resumed = await run(["run", "--resume", session, "--set", "agent.log.level=3", "More"], {
      env,
      shell: `ln -sfn "${target}" "${join(home, "logs", session, log)}"; exec "$@"`,
    });
    expect(resumed.code).toBe(0);
    await symlink(target, join(workspace, "link"));
    expect(await readFile(target, "utf8")).toBe("untouched");
  }, 60_000);
});

function found(text: string): readonly string[] {
  return forbidden.flatMap((part) => {
    const at = text.indexOf(part);
    return at < 0 ? [] : [text.slice(Math.max(0, at - 60), at + 40)];
  });
}

interface FoundFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

async function filesBelow(home: string): Promise<readonly FoundFile[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (path) => ({ path, text: await readFile(path, "latin1"), mode: (await lstat(path)).mode & 0o777 })),
  );
}
