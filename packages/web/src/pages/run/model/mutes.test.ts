import { expect, test } from "vitest";
import { mutesAbout, mutesIn, muteWords } from "./mutes.ts";
import { eventBuilder } from "./testing/event-builder.ts";

const view = { episode: "e1", detector: "failing-call", tool: "bash" };

test("a mute is in force until it is lifted", () => {
  const run = eventBuilder("run_1", 1_000);
  run.emit({ type: "GuardianMuted", episode: "e1" });
  run.emit({ type: "GuardianMuted", detector: "failing-call" as never, tool: "bash" });
  expect(mutesAbout(mutesIn(run.events), view).map(muteWords)).toEqual(["this loop", "all of bash"]);
  run.emit({ type: "GuardianUnmuted", episode: "e1" });
  expect(mutesAbout(mutesIn(run.events), view).map(muteWords)).toEqual(["all of bash"]);
});

test("a mute that was sent is in force before its event is saved, and the event replaces it", () => {
  const run = eventBuilder("run_1", 1_000);
  run.emit({ type: "TurnStarted", turn: 0 });
  const sent = [{ isMuted: true, target: { episode: "e1" }, afterSeq: run.events.at(-1)?.seq ?? 0 }];
  expect(mutesIn(run.events, sent)).toEqual([{ episode: "e1" }]);
  run.emit({ type: "GuardianMuted", episode: "e1" });
  run.emit({ type: "GuardianUnmuted", episode: "e1" });
  expect(mutesIn(run.events, sent)).toEqual([]);
});

test("a mute of something else is not about an intervention", () => {
  const mutes = [{ episode: "e2" }, { detector: "doom-loop" }, { detector: "failing-call", tool: "edit" }];
  expect(mutesAbout(mutes, view)).toEqual([]);
  expect(mutesAbout([{ detector: "failing-call" }], view).map(muteWords)).toEqual(["the whole run"]);
});
