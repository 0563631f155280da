import { outsideText } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { withoutOutsideTag } from "./outside-tag.ts";

test("the tag that the runtime puts around text of others is not shown", () => {
  expect(withoutOutsideTag(outsideText("https://example.org", "one\ntwo"))).toBe("one\ntwo");
  expect(withoutOutsideTag(`${outsideText("a command", "pushed")}\n[exit code 0]`)).toBe("pushed\n[exit code 0]");
  expect(withoutOutsideTag("<data>x</data>")).toBe("<data>x</data>");
});
