import { signal } from "@preact/signals";

type Theme = "light" | "dark";

const SETTING = "sheepdog.theme";
const chosen = signal<Theme | undefined>(readTheme());

/** Applies the theme that the user chose; without a choice the system decides. Called before the first drawing. */
export function applyTheme(): void {
  if (chosen.value !== undefined) document.documentElement.dataset["theme"] = chosen.value;
}

/** The theme in force. */
function currentTheme(): Theme {
  return chosen.value ?? (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

/** Changes between light and dark, and remembers it. */
export function switchTheme(): void {
  chosen.value = currentTheme() === "dark" ? "light" : "dark";
  window.localStorage.setItem(SETTING, chosen.value);
  applyTheme();
}

function readTheme(): Theme | undefined {
  const value = window.localStorage.getItem(SETTING);
  return value === "light" || value === "dark" ? value : undefined;
}
