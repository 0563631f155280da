/** The colours of the pictures: of the text, by theme, and of what is behind it. */
export const palettes = {
  light: { plain: "#1f2328", dim: "#59636e", red: "#cf222e", green: "#1a7f37", yellow: "#7d4e00", cyan: "#0969da" },
  dark: { plain: "#e6edf3", dim: "#8b949e", red: "#ff7b72", green: "#7ee787", yellow: "#f2cc60", cyan: "#79c0ff" },
};

export const backgrounds = { light: "#f6f8fa", dark: "#0d1117" };
