import { expect, test } from "vitest";
import { toConfigText } from "./git-config-text.ts";
import { isHarmlessSetting } from "./git-identity.ts";

test("only harmless settings of git are copied", () => {
  const listed = [
    "user.name\nA B",
    "user.email\na@example.org",
    "credential.helper\nstore",
    "http.extraheader\nAuthorization: canary-value",
    "url.https://canary-value@example.org/.insteadof\nhttps://example.org/",
    "core.hookspath\n/tmp/hooks",
    "alias.x\n!canary-value",
    "init.defaultbranch\nmain",
    "",
  ].join("\0");
  expect(toConfigText(listed, isHarmlessSetting)).toBe(
    '[user]\n\tname = "A B"\n[user]\n\temail = "a@example.org"\n[init]\n\tdefaultbranch = "main"\n',
  );
});

test("a value cannot add a setting of its own", () => {
  expect(toConfigText('user.name\nA"\n[core]\n\thooksPath = "/tmp\\\0', isHarmlessSetting)).toBe(
    '[user]\n\tname = "A\\"\\n[core]\\n\thooksPath = \\"/tmp\\\\"\n',
  );
});
