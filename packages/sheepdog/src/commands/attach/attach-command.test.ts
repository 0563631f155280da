import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { main } from "../../cli.ts";

function world() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sheepdog-attach-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const each of [home, project]) mkdirSync(each);
  const path = (name: string) => join(folder, name);
  return {
    path,
    write(name: string, content: string | Uint8Array) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
    },
    read: (name: string) => readFileSync(path(name)),
    run: (...args: readonly string[]) => runIn(project, ...args),
    runIn,
  };

  async function runIn(cwd: string, ...args: readonly string[]) {
    const io = fakeIo({ cwd, env: { HOME: home, PATH: "/nowhere" } });
    return { code: await main(args, io), out: io.out(), err: io.err() };
  }
}

const settings = "home/.claude/settings.json";
const bom = "\uFEFF";
const samples: Readonly<Record<string, string>> = {
  plain: '{\n  "model": "opus"\n}\n',
  "other hooks": '{ "hooks": {\n    "Stop": [\n      {"hooks": [{"type": "command", "command": "bell"}]} ]\n  }\n}\n',
  "odd indentation": '{\n     "a": {\n  "b": 1 },\n "c": [\n1,2 ]}',
  tabs: '{\n\t"a": 1\n}\n',
  CRLF: '{\r\n  "a": 1\r\n}\r\n',
  "byte order mark": `${bom}{\n  "a": 1\n}\n`,
  "no line end": '{"a":1}',
  "an empty file": "",
  "only spaces": " \n\n",
  "empty lists that stay": '{ "hooks": { "Stop": [ ] } }\n',
};

/** Claude Code reads no file with comments, and Gemini CLI does. */
const withComments =
  '{ // mine\n  "hooks": {\n    "SessionEnd": [ // bell\n' +
  '      {"hooks": [{"type": "command", "command": "bell"}]},\n    ],\n  },\n}\n';

const roundTrips = [
  ...Object.entries(samples).map(([name, text]) => ({ name, agent: "claude-code", file: settings, text })),
  ...Object.entries({ ...samples, "comments and other hooks": withComments }).map(([name, text]) => ({
    name,
    agent: "gemini-cli",
    file: "home/.gemini/settings.json",
    text,
  })),
];

describe("attach, then detach", () => {
  test.each(roundTrips)("$agent, $name: the file is byte for byte what it was", async ({ agent, file, text }) => {
    const { run, read, write } = world();
    write(file, text);
    const shown = await run("attach", agent);
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining(`sheepdog-hook ${agent}`) });
    expect(read(file).toString()).toBe(text);
    expect(await run("attach", agent, "--write")).toMatchObject({ code: 0 });
    const attached = read(file);
    expect(attached.toString()).toContain(`sheepdog-hook ${agent}`);
    expect(await run("attach", agent, "--write")).toMatchObject({
      code: 0,
      out: expect.stringContaining("already"),
    });
    expect(read(file).equals(attached)).toBe(true);
    expect(await run("detach")).toMatchObject({ code: 0, out: expect.stringContaining("byte for byte") });
    expect(read(file).equals(attached)).toBe(true);
    expect(await run("detach", agent, "--write")).toMatchObject({ code: 0 });
    expect(read(file).equals(Buffer.from(text))).toBe(true);
  });

  test.each(["claude-code", "codex", "gemini", "cursor"])("%s: a file that was made is removed", async (agent) => {
    const { run, path } = world();
    expect(await run("attach", agent, "--write")).toMatchObject({ code: 0 });
    expect(await run("detach", "--write")).toMatchObject({ code: 0 });
    expect(readdirSync(path("home"))).toEqual([".sheepdog"]);
    expect(await run("detach", "--write")).toMatchObject({
      code: 0,
      err: expect.stringContaining("nothing is attached"),
    });
  });

  test("a folder that somebody else uses by then stays", async () => {
    const { run, write, path } = world();
    await run("attach", "claude-code", "--write");
    write("home/.claude/other.json", "{}");
    await run("detach", "--write");
    expect(readdirSync(path("home/.claude"))).toEqual(["other.json"]);
  });

  test("the settings of a project name no home of anybody", async () => {
    const { run, read, path } = world();
    await run("attach", "claude-code", "codex", "--project", "--write");
    for (const file of ["project/.claude/settings.json", "project/.codex/hooks.json"]) {
      expect(read(file).toString()).toContain('[ ! -x \\"$HOME/.sheepdog/bin/sheepdog-hook\\" ] || ');
      expect(read(file).toString()).not.toContain(path("home"));
    }
    await run("attach", "claude-code", "--local", "--write");
    expect(read("project/.claude/settings.local.json").toString()).toContain(path("home/.sheepdog/bin/sheepdog-hook"));
    await run("detach", "--project", "--write");
    expect(readdirSync(path("project/.claude"))).toEqual(["settings.local.json"]);
    await run("detach", "--write");
    expect(existsSync(path("project/.codex"))).toBe(false);
  });
});

test("detach --project leaves a project alone whose name only begins like that of this one", async () => {
  const { run, runIn, path } = world();
  mkdirSync(path("project-2"));
  await runIn(path("project-2"), "attach", "codex", "--project", "--write");
  expect(await run("detach", "--project", "--write")).toMatchObject({ err: expect.stringContaining("nothing") });
  expect(existsSync(path("project-2/.codex/hooks.json"))).toBe(true);
});

test("a file that was changed in between keeps the change, and the lists that were there before", async () => {
  const { run, read, write } = world();
  write(settings, '{\n  "hooks": {\n    "Stop": []\n  }\n}\n');
  await run("attach", "claude-code", "--write");
  write(settings, read(settings).toString().replace("{", '{\n  "model": "opus",'));
  expect(await run("detach", "--write")).toMatchObject({ out: expect.stringContaining("stays") });
  expect(read(settings).toString()).toBe('{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  }\n}\n');
});

test("attaching again after a change of the user's restores the user's version, not an older one", async () => {
  const { run, read, write } = world();
  write(settings, '{"a":1}');
  await run("attach", "claude-code", "--write");
  write(settings, '{"a":2}');
  await run("attach", "claude-code", "--write");
  await run("detach", "--write");
  expect(read(settings).toString()).toBe('{"a":2}');
});

test("attaching again after a change beside our hooks: detach takes the hooks out and keeps the change", async () => {
  const { run, read, write } = world();
  write(settings, '{"a":1}');
  await run("attach", "claude-code", "--write");
  write(settings, read(settings).toString().replace('"a":1', '"a":2'));
  await run("attach", "claude-code", "--status-line", "--write");
  expect(await run("detach", "--write")).toMatchObject({ code: 0, out: expect.stringContaining("stays") });
  expect(read(settings).toString()).toBe('{"a":2}');
});

test("hooks without a receipt, as in copied settings, are all taken out", async () => {
  const { run, read, path } = world();
  await run("attach", "claude-code", "--write");
  rmSync(path("home/.sheepdog/attach/attached.json"));
  await run("attach", "claude-code", "--status-line", "--write");
  await run("detach", "--write");
  expect(read(settings).toString().trim()).toBe("{}");
});

test("adding the status line later still restores the first version", async () => {
  const { run, read, write } = world();
  write(settings, '{"a":1}');
  await run("attach", "claude-code", "--write");
  await run("attach", "claude-code", "--status-line", "--write");
  expect(read(settings).toString()).toContain('sheepdog-hook status-line"');
  await run("detach", "--write");
  expect(read(settings).toString()).toBe('{"a":1}');
});

test("a status line of the user's stays", async () => {
  const { run, read, write } = world();
  write(settings, '{"statusLine":{"type":"command","command":"mine"}}');
  const { err } = await run("attach", "claude-code", "--status-line", "--write");
  expect(err).toContain("you have a status line already");
  expect(read(settings).toString()).toContain('"command":"mine"');
});

test("a symbolic link stays one, also to a file that does not exist yet", async () => {
  const { run, read, write, path } = world();
  write("dotfiles/claude.json", "{}\n");
  mkdirSync(path("home/.claude"));
  symlinkSync(path("dotfiles/claude.json"), path(settings));
  mkdirSync(path("home/.codex"));
  symlinkSync("../../dotfiles/codex.json", path("home/.codex/hooks.json"));
  await run("attach", "claude-code", "codex", "--write");
  for (const name of ["claude", "codex"]) expect(read(`dotfiles/${name}.json`).toString()).toContain("sheepdog-hook");
  expect(lstatSync(path(settings)).isSymbolicLink()).toBe(true);
  await run("detach", "--write");
  expect(read("dotfiles/claude.json").toString()).toBe("{}\n");
  expect(existsSync(path("dotfiles/codex.json"))).toBe(false);
  expect(readlinkSync(path("home/.codex/hooks.json"))).toBe("../../dotfiles/codex.json");
});

test("the mode of a file is kept, and a new file is private", async () => {
  const { run, write, path } = world();
  write(settings, "{}");
  chmodSync(path(settings), 0o640);
  await run("attach", "claude-code", "codex", "--write");
  expect(statSync(path(settings)).mode & 0o777).toBe(0o640);
  expect(statSync(path("home/.codex/hooks.json")).mode & 0o777).toBe(0o600);
  await run("detach", "--write");
  expect(statSync(path(settings)).mode & 0o777).toBe(0o640);
});

test("what cannot be changed is left alone, with a sentence", async () => {
  const { run, read, write, path } = world();
  const refused = async (content: string | Uint8Array, sentence: string) => {
    write(settings, content);
    expect(await run("attach", "claude-code", "--write")).toMatchObject({
      code: 1,
      err: expect.stringContaining(sentence),
    });
    expect(read(settings).equals(Buffer.from(content))).toBe(true);
  };
  await refused('{"a": 1', "settings.json is not valid JSON (line 1: close brace expected)");
  await refused('{"hooks":{"Stop":[],"Stop":[]}}', 'has "hooks.Stop" more than once');
  await refused(Buffer.from([0x7b, 0xff, 0x7d]), "is not UTF-8 text");
  write(settings, "{}");
  chmodSync(path(settings), 0o444);
  expect((await run("attach", "claude-code", "--write")).err).toContain("is read-only, and is left as it is");
  chmodSync(path(settings), 0o644);
  await run("attach", "claude-code", "--write");
  chmodSync(path(settings), 0o444);
  expect(await run("detach", "--write")).toMatchObject({ code: 1, err: expect.stringContaining("is read-only") });
  expect(read(settings).toString()).toContain("sheepdog-hook");
});

test("attaching at the same time gives each agent its hooks, once, and each a receipt", async () => {
  const { run, read } = world();
  const agents = ["claude-code", "codex", "gemini", "cursor"];
  await Promise.all([...agents, ...agents].map((agent) => run("attach", agent, "--write")));
  const { receipts } = JSON.parse(read("home/.sheepdog/attach/attached.json").toString());
  expect(receipts.map(({ agent }: { readonly agent: string }) => agent).sort()).toEqual([
    ...["claude-code", "codex", "cursor", "gemini-cli"],
  ]);
  expect(JSON.parse(read(settings).toString()).hooks.Stop).toHaveLength(1);
});

test("--observe is a mark of ours, and the command in the settings stays the same", async () => {
  const { run, read, path } = world();
  await run("attach", "codex", "--write", "--observe");
  const before = read("home/.codex/hooks.json");
  expect(existsSync(path("home/.sheepdog/attach/codex.observe"))).toBe(true);
  await run("attach", "codex", "--write");
  expect(existsSync(path("home/.sheepdog/attach/codex.observe"))).toBe(false);
  expect(read("home/.codex/hooks.json").equals(before)).toBe(true);
  await run("attach", "codex", "--write", "--observe");
  await run("detach", "--write");
  expect(readdirSync(path("home/.sheepdog/attach")).sort()).toEqual(["attached.json"]);
});

test("agents that are found are listed with what would be done", async () => {
  const { run, write } = world();
  expect(await run("attach")).toMatchObject({
    code: 0,
    err: expect.stringContaining("none of these agents was found"),
  });
  write("home/.codex/config.toml", "");
  write(settings, "{}");
  await run("attach", "claude-code", "--write");
  const { out } = await run("attach");
  expect(out).toMatch(/Claude Code +user +change nothing\nCodex +no +create /);
  expect(out).not.toContain("Gemini");
});

test.each([
  [["attach", "emacs"], 'there is no agent "emacs" to attach to; there are claude-code'],
  [["attach", "--write"], "name the agents to attach to"],
  [["attach", "codex", "--status-line"], "--status-line is for Claude Code only"],
  [["attach", "codex", "--project", "--local"], "take one of them"],
  [["attach", "claude", "--status-line", "--project"], "a status line is your own"],
  [["detach", "emacs"], 'there is no agent "emacs" to detach from'],
])("%j is refused", async (args, sentence) => {
  expect(await world().run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
});
