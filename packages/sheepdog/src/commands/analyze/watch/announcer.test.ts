import { expect, test } from "vitest";
import { fakeIo } from "../../../../test/fake-io.ts";
import { lookedAt } from "../../../../test/look-back-runs.ts";
import { stuckRun } from "../../../../test/recordings.ts";
import { scratchFolder } from "../../../../test/scratch-folder.ts";
import { readChannels } from "../../../channels/channel-settings.ts";
import { readOutbox } from "../../../channels/outbox.ts";
import { loadConfig } from "../../../config/load-config.ts";
import { resolveHome } from "../../../home.ts";
import { plainSentence } from "../../../sentences/say.ts";
import { chooseInput } from "../look-back-input.ts";
import { createAnnouncer } from "./announcer.ts";

const file = scratchFolder();

test("a channel gets what it wants: an end by default, and no hint", async () => {
  const config = '[channels.team]\ntype = "webhook"\nurl = "http://127.0.0.1:9/"\n';
  const env = { SHEEPDOG_HOME: (await file("home/config.toml", config)).replace("/config.toml", "") };
  const io = fakeIo({ env, isTTY: true });
  const chosen = await chooseInput([], {}, io);
  if (!chosen.ok) throw new Error(chosen.problems.join());
  const announce = createAnnouncer(chosen.input, { io });
  const run = lookedAt(stuckRun("r", 8));
  const sentence = run.episodes[0]?.sentence ?? [];
  announce({ run, detector: "failing-call", level: "hint", sentence });
  expect(io.err()).toBe("");
  announce({ run, detector: "failing-call", level: "halt", sentence });
  expect(io.err()).toBe("\u0007");
  const loaded = await loadConfig({ env, cwd: io.cwd, home: resolveHome(env) });
  const [channel] = loaded.ok ? readChannels(loaded.config, env).channels : [];
  expect(readOutbox(resolveHome(env), channel?.account ?? "").map(({ notice }) => notice)).toMatchObject([
    {
      kind: "halt",
      run: { runId: run.id, task: "a run of test" },
      sentence: `${plainSentence(sentence)}. The agent is not stopped: it runs without a guardian.`,
      costNanoUsd: 800_000_000,
      command: `sheepdog show ${run.id}`,
    },
  ]);
});
