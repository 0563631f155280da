// Converts the text of a terminal, with its colour sequences, to SVG.
const esc = String.fromCharCode(27);
const colourSequence = new RegExp(`(${esc}\\[[\\d;]*m)`);
const names = { 31: "red", 32: "green", 33: "yellow", 34: "cyan", 36: "cyan" };
const plain = { colour: "plain", isDim: false, isBold: false };

/** The size of a character and of a line, in pixels. */
export const charWidth = 8.4;
export const lineHeight = 20;

/** A picture of a terminal window. `paint` returns the attribute for a colour: its `fill`, or a class. */
export function terminalSvg({ lines, columns, title, paint, background, head = [] }) {
  const top = 62;
  const [width, height] = [Math.round(columns * charWidth) + 40, top + lines.length * lineHeight];
  const attributes = [
    'xmlns="http://www.w3.org/2000/svg"',
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14"',
  ].join(" ");
  return [
    `<svg ${attributes}>`,
    `<title>${escaped(title)}</title>`,
    ...head,
    `<rect width="100%" height="100%" rx="10" ${background}/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map((fill, i) => `<circle cx="${24 + i * 20}" cy="22" r="6" fill="${fill}"/>`),
    ...spans(lines, paint).map(
      (text, i) => `<text x="20" y="${top + i * lineHeight}" xml:space="preserve">${text}</text>`,
    ),
    "</svg>",
    "",
  ].join("\n");
}

/** A style lasts until it is changed, also across lines: tmux writes no colour twice. */
function spans(lines, paint) {
  let style = plain;
  const convert = (part) => {
    if (part.match(colourSequence) === null) return part === "" ? "" : span(part, style, paint);
    for (const code of part.slice(2, -1).split(";")) style = styled(style, Number(code || 0));
    return "";
  };
  return lines.map((line) => line.split(colourSequence).map(convert).join(""));
}

function span(text, { colour, isDim, isBold }, paint) {
  const weight = isBold ? ' font-weight="bold"' : "";
  return `<tspan ${paint(isDim ? "dim" : colour)}${weight}>${escaped(text)}</tspan>`;
}

function styled(style, code) {
  if (code === 0) return plain;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isDim: false, isBold: false };
  if (code === 39) return { ...style, colour: "plain" };
  return { ...style, colour: names[code] ?? style.colour };
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
