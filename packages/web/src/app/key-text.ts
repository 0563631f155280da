const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

const names: Readonly<Record<string, string>> = {
  Enter: "↵",
  Escape: "Esc",
  ArrowDown: "↓",
  ArrowUp: "↑",
  Shift: "⇧",
  Ctrl: isMac ? "⌘" : "Ctrl",
};

/** The keys of a shortcut as they are printed on the keyboard: "G R" is `["G", "R"]`, "Shift+d" is `["⇧ D"]`. */
export function keyTexts(keys: string): readonly string[] {
  return keys.split(" ").map((pressed) =>
    pressed
      .split("+")
      .map((part) => names[part] ?? part.toUpperCase())
      .join(" "),
  );
}
