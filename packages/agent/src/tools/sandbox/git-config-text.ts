/** True for a setting that may stay. The key is in lower case except for its middle part: `remote.Origin.url`. */
export type IsHarmless = (key: string, value: string) => boolean;

/**
 * The text of a git configuration with the harmless settings only. `listed` is the output of `git config --list -z`:
 * key, line break, value, NUL.
 */
export function toConfigText(listed: string, isHarmless: IsHarmless): string {
  return settingsIn(listed)
    .filter(({ key, value }) => isHarmless(key, value))
    .map(({ key, value }) => {
      const [section = "", ...rest] = key.split(".");
      const name = rest.pop();
      const middle = rest.length === 0 ? "" : ` "${rest.join(".").replace(/["\\]/g, "\\$&")}"`;
      return `[${section}${middle}]\n\t${name} = "${escaped(value)}"\n`;
    })
    .join("");
}

/** True if all settings in the list are harmless. */
export function isHarmlessConfig(listed: string, isHarmless: IsHarmless): boolean {
  return settingsIn(listed).every(({ key, value }) => isHarmless(key, value));
}

function settingsIn(listed: string): readonly { readonly key: string; readonly value: string }[] {
  const entries = listed.split("\0").filter((entry) => entry !== "");
  return entries.map((entry) => {
    const [key = "", ...value] = entry.split("\n");
    return { key, value: value.join("\n") };
  });
}

function escaped(value: string): string {
  return value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
}
