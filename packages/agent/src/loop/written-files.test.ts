import { expect, test } from "vitest";
import { createWrittenFiles } from "./written-files.ts";

test("files of earlier runs and of this one are known; a folder stands for everything below it", () => {
  const written = createWrittenFiles([{ callId: "call_0", paths: ["/w/a.js"] }]);
  written.add({ callId: "call_1", paths: ["/w/lib/b.js", "/w/new"] });
  const paths = ["/w/a.js", "/w/lib/b.js", "/w/new/deep/c.js", "/w/lib/d.js", "/w/newer.js", "/w", "/"];
  expect(paths.filter((path) => written.has(path))).toEqual(["/w/a.js", "/w/lib/b.js", "/w/new/deep/c.js"]);
  expect([written.byCall("call_1"), written.byCall("call_2")]).toEqual([["/w/lib/b.js", "/w/new"], []]);
});
