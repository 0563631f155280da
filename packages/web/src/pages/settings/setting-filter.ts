import type { Settings } from "../../contract/index.ts";

export type Setting = Settings["sections"][number]["settings"][number];

/** The sections with the settings that match every word of a text, without empty sections. */
export function filterSections(
  sections: Settings["sections"],
  { text, isChangedOnly }: { readonly text: string; readonly isChangedOnly: boolean },
): Settings["sections"] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (setting: Setting) => {
    if (isChangedOnly && setting.isDefault) return false;
    const { key, value, origin, description } = setting;
    const searched = `${key} ${value} ${origin} ${description}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
  return sections
    .map((section) => ({ ...section, settings: section.settings.filter(matches) }))
    .filter(({ settings }) => settings.length > 0);
}

/** The last part of a key, and what stands before it: the section is named above its settings. */
export function keyParts(key: string, section: string): { readonly before: string; readonly name: string } {
  if (key.startsWith(`${section}.`)) return { before: "", name: key.slice(section.length + 1) };
  const dot = key.lastIndexOf(".");
  return { before: key.slice(0, dot + 1), name: key.slice(dot + 1) };
}

/** The command that changes a setting in the user's file, to be completed with a value. */
export function setCommand({ key, value }: Pick<Setting, "key" | "value">): string {
  if (value === "") return `sheepdog config set ${key} `;
  const isPlain = /^[\w.+-]+$/.test(value);
  return `sheepdog config set ${key} ${isPlain ? value : `'${value.replaceAll("'", `'\\''`)}'`}`;
}
