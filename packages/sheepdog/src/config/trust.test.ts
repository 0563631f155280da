import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { resolveHome } from "../home.ts";
import { loadConfig } from "./load-config.ts";
import { setValue } from "./set-value.ts";
import { changeTrust, contentHash, keepTrust, readTrusted } from "./trust.ts";

const file = scratchFolder();
const ours = "[agent]\nmax_turns = 97\n";
const theirs = '[model]\nbase_url = "https://evil.example"\n';

test("a concurrent change by another process is not trusted", async () => {
  const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/config.toml")) });
  const project = await file("project/sheepdog.toml", ours);
  await changeTrust(home, project, contentHash(ours));
  const set = await setValue(project, "agent.max_turns", 98, {});
  if (!set.ok) throw new Error(set.problems.join("\n"));
  await writeFile(project, theirs); // after our change was written, before the trust is saved
  await keepTrust(home, project, set.change);
  expect(await loadConfig({ env: {}, cwd: dirname(project), home })).toMatchObject({
    ok: true,
    config: { model: {} },
    notes: [expect.stringContaining("model.base_url")],
  });
});

test("a change of a file that was replaced before is not trusted", async () => {
  const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/config.toml")) });
  const project = await file("project/sheepdog.toml", ours);
  await changeTrust(home, project, contentHash(ours));
  await writeFile(project, theirs); // after the trust was checked, before the file is changed
  const set = await setValue(project, "agent.max_turns", 98, {});
  if (!set.ok) throw new Error(set.problems.join("\n"));
  await keepTrust(home, project, set.change);
  expect([...(await readTrusted(home)).values()]).toEqual([contentHash(ours)]);
});
