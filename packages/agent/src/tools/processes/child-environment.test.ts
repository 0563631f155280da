import { expect, test } from "vitest";
import { childEnvironment } from "./child-environment.ts";

test("only listed variables are passed on", () => {
  const environment = childEnvironment(
    {
      PATH: ".:/usr/bin::bin:/bin",
      HOME: "/home/a",
      LC_ALL: "C",
      ANTHROPIC_API_KEY: "k",
      AWS_SECRET_ACCESS_KEY: "k",
      LD_PRELOAD: "x",
      BASH_ENV: "x",
      NODE_OPTIONS: "x",
      GIT_PAGER: "evil",
    },
    { workspace: "/work" },
  );
  expect(environment).toMatchObject({
    PATH: "/usr/bin:/bin",
    HOME: "/home/a",
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    PAGER: "cat",
    GIT_PAGER: "cat",
  });
  for (const name of ["ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD", "BASH_ENV", "NODE_OPTIONS"])
    expect(environment).not.toHaveProperty(name);
});

test("the caller can add variables", () => {
  expect(childEnvironment({}, { workspace: "/work", added: { CI: "1" } })["CI"]).toBe("1");
});
