import { expect, test } from "vitest";
import { detectorNames } from "../../policy/detector-rungs.ts";
import { detectors, seeds, watchers } from "./index.ts";

test("every detector of the policy has its code, in the order in which they name a cause", () => {
  expect([...detectors, ...watchers, ...seeds].map(({ name }) => name)).toEqual(detectorNames);
});
