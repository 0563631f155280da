import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { fakeIo } from "../test/fake-io.ts";
import { main } from "./cli.ts";
import { resolveHome } from "./home.ts";

vi.mock("node:os", { spy: true });

test("it is where SHEEPDOG_HOME says, else in the user's folder", () => {
  expect(resolveHome({ SHEEPDOG_HOME: "/x/y", HOME: "/home/me" }).dir).toBe("/x/y");
  expect(resolveHome({ SHEEPDOG_HOME: " ", HOME: "/home/me" }).dir).toBe("/home/me/.sheepdog");
});

test.each([undefined, "", " ", ".", "me"])(
  "it is never in the current folder by HOME=%j: a project could pass its file off as the user's",
  (HOME) => {
    expect(resolveHome({ ...(HOME === undefined ? {} : { HOME }) }).dir).toBe(join(userInfo().homedir, ".sheepdog"));
  },
);

test("where nobody knows the user's folder, that is said with what to set", async () => {
  vi.mocked(userInfo).mockImplementationOnce(() => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  });
  const io = fakeIo();
  expect([await main(["config", "get", "agent.max_turns"], io), io.err()]).toEqual([
    2,
    "sheepdog: nobody knows where your folder is: set HOME, or SHEEPDOG_HOME\n",
  ]);
});
