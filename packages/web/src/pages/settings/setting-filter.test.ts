import { expect, test } from "vitest";
import { filterSections, keyParts, type Setting, setCommand } from "./setting-filter.ts";

const setting = (key: string, value: string, origin = "default"): Setting => ({
  key,
  value,
  defaultValue: value,
  origin,
  isDefault: origin === "default",
  description: `What ${key} does.`,
});
const sections = [
  { name: "agent", settings: [setting("agent.max_turns", "40", "sheepdog.toml:9"), setting("agent.min_tail", "6")] },
  { name: "model", settings: [setting("model.provider", '"openai"')] },
];
const keysOf = (found: typeof sections) => found.flatMap(({ settings }) => settings.map(({ key }) => key));

test("every word of the filter is found in key, value, origin or description", () => {
  const found = (text: string) => keysOf([...filterSections(sections, { text, isChangedOnly: false })] as never);
  expect([found(""), found("OPENAI"), found("agent toml"), found("nothing like it")]).toEqual([
    ["agent.max_turns", "agent.min_tail", "model.provider"],
    ["model.provider"],
    ["agent.max_turns"],
    [],
  ]);
});

test("only changed settings leaves out defaults and empty sections", () => {
  expect(filterSections(sections, { text: "", isChangedOnly: true })).toEqual([
    { name: "agent", settings: [sections[0]?.settings[0]] },
  ]);
});

test("a key is shortened by the name of its section", () => {
  expect(keyParts("agent.guardian.mode", "agent.guardian")).toEqual({ before: "", name: "mode" });
  expect(keyParts("agent.guardian.mode", "guardian")).toEqual({ before: "agent.guardian.", name: "mode" });
  expect(keyParts("fallback_models", "fallback_models")).toEqual({ before: "", name: "fallback_models" });
});

test("the command that changes a setting quotes what a shell would read", () => {
  expect(setCommand({ key: "agent.max_turns", value: "40" })).toBe("sheepdog config set agent.max_turns 40");
  expect(setCommand({ key: "model.provider", value: "" })).toBe("sheepdog config set model.provider ");
  expect(setCommand({ key: "a.b", value: `["it's"]` })).toBe(`sheepdog config set a.b '["it'\\''s"]'`);
});
