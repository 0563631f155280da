/** A table; cells may be of any kind. */
export function table(head, lines) {
  return [row(head), `|${"---|".repeat(head.length)}`, ...lines.map(row)].join("\n");
}

function row(cells) {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}
