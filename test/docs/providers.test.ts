import { expect, test } from "vitest";
import { providers } from "../../packages/agent/src/provider/providers.ts";
import { codeSpans, readRepositoryFile, tableRows } from "./page.ts";

test("docs/providers.md lists every provider with its variables and its address", () => {
  const listed = tableRows(readRepositoryFile("docs/providers.md")).map(([name = "", keys = "", ...addresses]) => ({
    name: codeSpans(name)[0],
    keys: codeSpans(keys),
    isKeyNeeded: !keys.includes("(optional)"),
    addresses: codeSpans(addresses[0] ?? ""),
    baseUrl: codeSpans(addresses[1] ?? "")[0],
  }));
  expect(listed).toEqual(
    Object.entries(providers).map(([name, { keys, isKeyNeeded, addresses, baseUrl }]) => ({
      name,
      keys,
      isKeyNeeded,
      addresses,
      baseUrl,
    })),
  );
});
