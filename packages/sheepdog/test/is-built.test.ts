import { expect, test, vi } from "vitest";
import { builtOrFail } from "./is-built.ts";

test("without the binary its tests are skipped, and fail in CI", () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  expect([builtOrFail(true, { CI: "true" }), builtOrFail(false, {}), builtOrFail(false, { CI: "false" })]).toEqual([
    ...[true, false, false],
  ]);
  expect(() => builtOrFail(false, { CI: "true" })).toThrow("The binary is not built");
});
