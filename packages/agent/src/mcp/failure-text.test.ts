import * as sdk from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { failureText, tellingLine } from "./failure-text.ts";

test("an answer over HTTP is told by its status, and not by its page", () => {
  const answered = (status: number) =>
    failureText(
      new sdk.SdkHttpError(sdk.SdkErrorCode.ClientHttpNotImplemented, "Error POSTing to endpoint: <html>", { status }),
      sdk,
    );
  expect(answered(404)).toBe("It answered 404: check the path of its address.");
  expect(answered(502)).toBe("It answered 502.");
});

test("any other error is one line with a full stop", () => {
  expect(failureText(new Error("It is\n gone"), sdk)).toBe("It is gone.");
  expect(failureText(new Error("It is gone."), sdk)).toBe("It is gone.");
  expect(failureText(new Error('[\n { "code": "invalid_type" }]'), sdk)).toBe(
    "It sent an answer that does not follow the protocol.",
  );
});

test("the telling line of stderr is not npm's log, a stack trace or the version of Node", () => {
  const npm = [
    "npm error code E404",
    "npm error 404",
    "npm error 404  'no-such@*' is not in this registry.",
    "npm error",
  ];
  const log = "npm error A complete log of this run can be found in: /tmp/x.log";
  expect(tellingLine([...npm, log, ""].join("\n"))).toBe("npm error 404  'no-such@*' is not in this registry.");
  expect(tellingLine("Error: no token\n    at main (a.js:1)\n\nNode.js v20.19.0\n")).toBe("Error: no token");
  expect(tellingLine("\n")).toBe("");
});
