import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { resolveHome } from "../home.ts";
import { openServerFile } from "./server-file.ts";

const file = scratchFolder();

async function openFile(path: string) {
  await mkdir(dirname(path), { recursive: true });
  return openServerFile(resolveHome({ SHEEPDOG_HOME: dirname(path) }));
}

test("a folder, a pipe or a link in place of the file is named, and nothing is read or written", async () => {
  const target = await file("target.txt", "mine");
  const make: readonly ((path: string) => unknown)[] = [
    (path) => mkdir(path),
    (path) => execFileSync("mkfifo", [path]),
    (path) => symlink(target, path),
    (path) => symlink(`${target}.missing`, path),
  ];
  for (const [index, makeOdd] of make.entries()) {
    const path = await file(`home${index}/serve.json`);
    const serverFile = await openFile(path);
    await makeOdd(path);
    expect(await serverFile.problem()).toBe(`${path} is not a regular file; move it away, and start the server again`);
    expect(await serverFile.running()).toEqual([]);
  }
  expect(await readFile(target, "utf8")).toBe("mine");
});

test("a file that others can read is closed to them before the key is written", async () => {
  const path = await file("home/serve.json", "{}");
  await chmod(path, 0o644);
  const serverFile = await openFile(path);
  expect(await serverFile.problem()).toBeUndefined();
  const key = await serverFile.readKey(false);
  expect([(await stat(path)).mode & 0o777, await readFile(path, "utf8")]).toEqual([
    0o600,
    expect.stringContaining(key),
  ]);
  await writeFile(path, "damaged");
  expect(await serverFile.readKey(false)).not.toBe(key);
});
