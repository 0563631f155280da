// Converts lines of a terminal, with colour sequences, to an SVG picture.

const colours = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#f2cc60",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#79c0ff",
  plain: "#e6edf3",
  dim: "#8b949e",
};
const CHAR_WIDTH = 8.4;
const LINE_HEIGHT = 20;
const TOP = 62;
const esc = String.fromCharCode(27);
/** A colour sequence of a terminal. */
const colourSequence = new RegExp(`(${esc}\\[[\\d;]*m)`);

/** A picture of a terminal window. `title` describes it for readers who cannot see it. */
export function terminalPicture(lines, { columns, title }) {
  const [width, height] = [Math.round(columns * CHAR_WIDTH) + 40, TOP + lines.length * LINE_HEIGHT];
  const attributes = [
    'xmlns="http://www.w3.org/2000/svg"',
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14"',
  ].join(" ");
  return [
    `<svg ${attributes}>`,
    `<title>${title}</title>`,
    `<rect width="100%" height="100%" rx="10" fill="#0d1117"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map((fill, i) => `<circle cx="${24 + i * 20}" cy="22" r="6" fill="${fill}"/>`),
    ...lines.map((line, i) => `<text x="20" y="${TOP + i * LINE_HEIGHT}" xml:space="preserve">${spans(line)}</text>`),
    "</svg>",
    "",
  ].join("\n");
}

/** Removes the durations of calls, which differ each time. */
export function withoutDurations(line) {
  return line.replace(new RegExp(`([✓✗]) (?:\\d+ [hm] )*[\\d.]+ [sm](?=${esc})`), "$1");
}

/** Converts a line with colour sequences to SVG. */
function spans(line) {
  let style = { fill: colours.plain, weight: "" };
  return line
    .split(colourSequence)
    .map((part) => {
      const code = part.match(colourSequence);
      if (code === null)
        return part === "" ? "" : `<tspan fill="${style.fill}"${style.weight}>${escaped(part)}</tspan>`;
      for (const each of part.slice(2, -1).split(";")) style = styled(style, Number(each || 0));
      return "";
    })
    .join("");
}

function styled(style, code) {
  if (code === 0) return { fill: colours.plain, weight: "" };
  if (code === 1) return { ...style, weight: ' font-weight="bold"' };
  if (code === 2) return { ...style, fill: colours.dim };
  if (code === 22) return { fill: style.fill === colours.dim ? colours.plain : style.fill, weight: "" };
  if (code === 39) return { ...style, fill: colours.plain };
  return { ...style, fill: colours[code] ?? style.fill };
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
