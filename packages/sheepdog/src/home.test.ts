import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { fakeIo } from "../test/fake-io.ts";
import { main } from "./cli.ts";
import { resolveHome } from "./home.ts";

vi.mock("node:os", { spy: true });

test("the home folder is SHEEPDOG_HOME, else in the user's folder", () => {
  expect(resolveHome({ SHEEPDOG_HOME: "/x/y", HOME: "/home/me" }).dir).toBe("/x/y");
  expect(resolveHome({ SHEEPDOG_HOME: " ", HOME: "/home/me" }).dir).toBe("/home/me/.sheepdog");
});

test.each([undefined, "", " ", ".", "me"])(
  "HOME=%j never puts it into the current folder, where a project could pass off its own file",
  (HOME) => {
    expect(resolveHome({ ...(HOME === undefined ? {} : { HOME }) }).dir).toBe(join(userInfo().homedir, ".sheepdog"));
  },
);

test("an unknown user folder is reported with the variables to set", async () => {
  vi.mocked(userInfo).mockImplementationOnce(() => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  });
  const io = fakeIo();
  expect([await main(["config", "get", "agent.max_turns"], io), io.err()]).toEqual([
    2,
    "sheepdog: your home folder is unknown; set HOME or SHEEPDOG_HOME\n",
  ]);
});
