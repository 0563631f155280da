const dropped: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "svg",
  "template",
  "iframe",
  "canvas",
  "math",
]);
const blocks: ReadonlySet<string> = new Set(
  [
    "address article aside blockquote body br dd div dl dt fieldset figcaption figure footer form",
    "h1 h2 h3 h4 h5 h6 head header hr li main nav ol p pre section table tbody td th thead title tr ul",
  ].flatMap((names) => names.split(" ")),
);
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  copy: "©",
  reg: "®",
  trade: "™",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  times: "×",
  euro: "€",
  rarr: "→",
  larr: "←",
};

/** The readable text of a page: one line a block, headings with #, items with -, links with their address. One pass. */
export function htmlToText(html: string): string {
  const lower = html.toLowerCase();
  let text = "";
  let link: string | undefined;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    text += html.slice(at, open === -1 ? html.length : open).replace(/\s+/g, " ");
    if (open === -1) break;
    if (html.startsWith("<!--", open)) {
      at = endOf(html, "-->", open);
      continue;
    }
    const close = html.indexOf(">", open);
    const [, slash = "", name = ""] = /^<(\/?)([a-z][a-z0-9]{0,15})/.exec(lower.slice(open, open + 18)) ?? [];
    if (name === "" && !/^<[!?/]/.test(html.slice(open, open + 2))) {
      text += "<";
      at = open + 1;
      continue;
    }
    if (close === -1) break;
    at = close + 1;
    if (slash === "" && dropped.has(name)) at = endOf(lower, `</${name}`, at);
    else if (name === "a") {
      if (slash === "") link = hrefOf(html.slice(open, close));
      else if (link !== undefined) text += ` (${link})`;
      if (slash !== "") link = undefined;
    } else if (blocks.has(name)) text += blockMark(name, slash !== "");
  }
  return tidy(decodeEntities(text));
}

function blockMark(name: string, isEnd: boolean): string {
  if (isEnd) return "\n";
  if (name === "li") return "\n- ";
  if (name === "td" || name === "th") return " | ";
  return /^h[1-6]$/.test(name) ? `\n\n${"#".repeat(Number(name[1]))} ` : "\n";
}

/** The offset after the tag or comment with this ending; the end of the page when it is missing. */
function endOf(html: string, ending: string, from: number): number {
  const endingAt = html.indexOf(ending, from);
  if (endingAt === -1) return html.length;
  const close = html.indexOf(">", endingAt);
  return close === -1 ? html.length : close + 1;
}

function hrefOf(tag: string): string | undefined {
  const [, href] = /\shref\s{0,5}=\s{0,5}["']?(https?:[^"'\s>]{1,500})/i.exec(tag.slice(0, 2_000)) ?? [];
  return href;
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/[ \t\u00a0]+/g, " ").trim());
  return lines
    .filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""))
    .join("\n")
    .trim();
}
