import { expect, test } from "vitest";
import { taskNote } from "./task-note.ts";

test("the task stands under a sentence that does not say it", () => {
  expect(taskNote("Make the checkout test pass", "Running sleep 3")).toBe("Make the checkout test pass");
});

test("a task that the sentence says already, or none, is left out", () => {
  expect(taskNote("Read the parts.", "Done: Read the parts")).toBe(null);
  expect(taskNote("", "All finished")).toBe(null);
});
