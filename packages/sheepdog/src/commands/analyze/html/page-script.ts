/** Sorting and filtering of the runs, and the switch between light and dark. The page is complete without it. */
export const pageScript = `"use strict";
(() => {
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const given = root.dataset.theme;
    const isDark = given ? given === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  });

  const table = document.getElementById("run-table");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, text: row.textContent.toLowerCase() }));
  const filter = document.getElementById("filter");
  const onlyStuck = document.getElementById("only-stuck");
  const shown = document.getElementById("shown");
  document.getElementById("filters").hidden = false;
  const show = () => {
    const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const { row, text } of rows) {
      const isStuck = row.classList.contains("is-stuck");
      const isShown = (!onlyStuck.checked || isStuck) && words.every((word) => text.includes(word));
      row.hidden = !isShown;
      if (isShown) count += 1;
    }
    shown.textContent = count === rows.length ? "" : count + " of " + rows.length;
  };
  filter.addEventListener("input", show);
  onlyStuck.addEventListener("change", show);
  show();

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent.toLowerCase() : Number(cell.dataset.value);
  };
  for (const head of table.tHead.rows[0].cells) {
    const column = Number(head.dataset.sort);
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isText = rows.length > 0 && typeof valueOf(rows[0].row, column) === "string";
      const first = isText ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? (isText ? "descending" : "ascending") : first;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const keyed = rows.map(({ row }) => ({ row, value: valueOf(row, column) }));
      keyed.sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : 0));
      body.append(...keyed.map(({ row }) => row));
    });
  }
})();
`;
