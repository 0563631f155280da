import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { identityFiles, narrativeFiles, readLayerFiles } from "./layer-files.ts";

let folder = "";
let workspace = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheepdog-layers-"));
  workspace = join(folder, "workspace");
  await mkdir(workspace);
});

afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(workspace, name), content);

test("existing files are read, in the order of the given names", async () => {
  await put("SOUL.md", "\ufeffkind");
  await put("IDENTITY.md", "a dog");
  expect(await readLayerFiles(workspace, identityFiles)).toEqual({
    files: [
      { name: "IDENTITY.md", text: "a dog" },
      { name: "SOUL.md", text: "kind" },
    ],
    problems: [],
  });
  expect(await readLayerFiles(workspace, narrativeFiles)).toEqual({ files: [], problems: [] });
  expect(await readLayerFiles(join(workspace, "nowhere"), identityFiles)).toEqual({ files: [], problems: [] });
});

test("CLAUDE.md is read where there is no AGENTS.md, and only there", async () => {
  await put("CLAUDE.md", "use tabs");
  await put("USER.md", "speaks Welsh");
  expect((await readLayerFiles(workspace, narrativeFiles)).files).toEqual([
    { name: "CLAUDE.md", text: "use tabs" },
    { name: "USER.md", text: "speaks Welsh" },
  ]);
  await put("AGENTS.md", "use spaces");
  expect((await readLayerFiles(workspace, narrativeFiles)).files).toEqual([
    { name: "AGENTS.md", text: "use spaces" },
    { name: "USER.md", text: "speaks Welsh" },
  ]);
});

test("a long file is cut between characters and says so", async () => {
  await put("AGENTS.md", "é".repeat(100));
  const { files } = await readLayerFiles(workspace, ["AGENTS.md"], { maxFileBytes: 11 });
  expect(files).toEqual([{ name: "AGENTS.md", text: "ééééé\n[AGENTS.md has 200 bytes; only the first 11 are shown]" }]);
});

test("all files together have a limit too, and a file that does not fit is reported", async () => {
  await put("AGENTS.md", "x".repeat(100));
  await put("TOOLS.md", "y".repeat(100));
  await put("USER.md", "z");
  const { files, problems } = await readLayerFiles(workspace, narrativeFiles, { maxTotalBytes: 150 });
  expect(files.map(({ name, text }) => [name, text.replace(/\n.*/, "").length])).toEqual([
    ["AGENTS.md", 100],
    ["TOOLS.md", 50],
  ]);
  expect(problems).toEqual(["USER.md was not read: the files before it use up the allowed size."]);
});

test("a link within the workspace is followed, a link that leads out is not", async () => {
  await put("CLAUDE.md", "notes");
  await writeFile(join(folder, "id_rsa"), "private");
  await symlink("CLAUDE.md", join(workspace, "AGENTS.md"));
  await symlink("../id_rsa", join(workspace, "USER.md"));
  expect(await readLayerFiles(workspace, narrativeFiles)).toEqual({
    files: [{ name: "AGENTS.md", text: "notes" }],
    problems: ["USER.md leads out of the workspace and was not read."],
  });
});

test("pipes, folders and binary files are reported and do not block (FAULTS 67)", async () => {
  execFileSync("mkfifo", [join(workspace, "AGENTS.md")]);
  await mkdir(join(workspace, "TOOLS.md"));
  await put("USER.md", new Uint8Array([1, 0, 2]));
  expect(await readLayerFiles(workspace, narrativeFiles)).toEqual({
    files: [],
    problems: [
      "AGENTS.md is not a regular file and was not read.",
      "TOOLS.md is not a regular file and was not read.",
      "USER.md is not a text file and was not read.",
    ],
  });
});

test("secrets in a file do not reach the model, and invalid UTF-8 is replaced", async () => {
  await put("AGENTS.md", Buffer.concat([Buffer.from("token: ghp_0123456789abcdefghij "), Buffer.from([0xff, 0xfe])]));
  const { files } = await readLayerFiles(workspace, narrativeFiles);
  expect(files[0]?.text).not.toContain("ghp_");
  expect(files[0]?.text).toContain("\ufffd");
});

test("nothing is read once the run is cancelled", async () => {
  await put("AGENTS.md", "notes");
  expect(await readLayerFiles(workspace, narrativeFiles, { signal: AbortSignal.abort() })).toEqual({
    files: [],
    problems: [],
  });
});
