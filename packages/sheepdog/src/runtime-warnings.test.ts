import { expect, test, vi } from "vitest";
import { reportRuntimeWarnings } from "./runtime-warnings.ts";

test("a warning of the runtime is a sentence, once; one of Node goes where it always went", async () => {
  const before = process.listeners("warning");
  const [said, elsewhere]: [string[], string[]] = [[], []];
  const other = ({ message }: Error) => void elsewhere.push(message);
  process.removeAllListeners("warning").on("warning", other);
  const stop = reportRuntimeWarnings((sentence) => said.push(sentence));
  const warn = (message: string, name: string) => process.emit("warning", Object.assign(new Error(message), { name }));
  for (const name of ["Warning", "Warning", "ExperimentalWarning"])
    warn(`The run is not logged.${name === "Warning" ? "\u001b[2J" : ""}`, name);
  await vi.waitFor(() => expect([said, elsewhere]).toEqual([["The run is not logged."], ["The run is not logged."]]));
  stop();
  expect(process.listeners("warning")).toEqual([other]);
  process.removeAllListeners("warning");
  for (const listener of before) process.on("warning", listener);
});
