const WIDTH = 118;

/** A table; cells may be of any type. */
export function table(head, lines) {
  return [row(head), `|${"---|".repeat(head.length)}`, ...lines.map(row)].join("\n");
}

function row(cells) {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

/** A list whose items are wrapped. */
export function list(items) {
  return items.map((item) => wrap(`- ${item}`, "  ")).join("\n");
}

/** Breaks a text into lines; lines after the first begin with `indent`. */
export function wrap(text, indent = "") {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line.trim() === "") lines[lines.length - 1] = line + word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(indent + word);
  }
  return lines.join("\n");
}
