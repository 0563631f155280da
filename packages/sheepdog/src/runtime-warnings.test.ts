import { expect, test, vi } from "vitest";
import { reportRuntimeWarnings } from "./runtime-warnings.ts";

test("a warning of the runtime is reported once; a warning of Node reaches its own listeners", async () => {
  const originalListeners = process.listeners("warning");
  const [reported, passedOn]: [string[], string[]] = [[], []];
  const other = ({ message }: Error) => void passedOn.push(message);
  process.removeAllListeners("warning").on("warning", other);
  const stop = reportRuntimeWarnings((sentence) => reported.push(sentence));
  const warn = (message: string, name: string) => process.emit("warning", Object.assign(new Error(message), { name }));
  for (const name of ["Warning", "Warning", "ExperimentalWarning"])
    warn(`The run is not logged.${name === "Warning" ? "\u001b[2J" : ""}`, name);
  await vi.waitFor(() =>
    expect([reported, passedOn]).toEqual([["The run is not logged."], ["The run is not logged."]]),
  );
  stop();
  expect(process.listeners("warning")).toEqual([other]);
  process.removeAllListeners("warning");
  for (const listener of originalListeners) process.on("warning", listener);
});
