import { expect, test } from "vitest";
import { explainRefusals } from "./explain-refusals.ts";

const networkIsOff = "The network is off in the sandbox of this command.";
const readOnly = "In the sandbox of this command, only the workspace, /tmp and an empty home folder are writable.";
const gitStays = "The sandbox of this command keeps the configuration and the hooks of git unchanged.";

test.each([
  ["curl: (6) Could not resolve host: example.org", [networkIsOff]],
  ["npm error code EAI_AGAIN", [networkIsOff]],
  ["ping: connect: Network is unreachable", [networkIsOff]],
  ["touch: cannot touch '/usr/x': Read-only file system", [readOnly]],
  ["Error: EROFS: read-only file system, open '/etc/x'", [readOnly]],
  ["error: could not write config file /w/.git/config: Device or resource busy", [gitStays]],
  ["1 test failed", []],
])("%s", (output, sentences) => {
  expect(explainRefusals(output, { hosts: [] })).toEqual(sentences);
});

test("with allowed hosts, the sentence names them", () => {
  expect(explainRefusals("Could not resolve host", { hosts: ["registry.example.org"] })).toEqual([
    "The sandbox of this command reaches only registry.example.org, through the proxy in HTTPS_PROXY.",
  ]);
});
