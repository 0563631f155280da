import { expect, test } from "vitest";
import { htmlToText } from "./html-to-text.ts";

test("a page becomes readable text", () => {
  const page = `<!doctype html><html><head><title>Sheep &amp; dogs</title><style>p{}</style>
    <script>if (a < b) alert("</p>")</script></head>
    <body><h1>Hello</h1><p>One   two<br>three <a href="https://example.org/x">link</a> &#8364;&#x20AC;</p>
    <ul><li>a</li><li>b</li></ul><!-- <p>no</p> -->
    <table><tr><td>1</td><td>2</td></tr></table> 1 < 2 &unknown;</body></html>`;
  expect(htmlToText(page)).toBe(
    [
      "Sheep & dogs",
      "",
      "# Hello",
      "",
      "One two",
      "three link (https://example.org/x) €€",
      "",
      "- a",
      "",
      "- b",
      "",
      "| 1",
      "| 2",
      "",
      "1 < 2 &unknown;",
    ].join("\n"),
  );
});

test("pages with unclosed tags are read in one pass", () => {
  for (const start of ["<script>", "<!--", "<p", "<", "<a href='", "</", "<li>", "&#", "<style><style>"])
    expect(typeof htmlToText(start.repeat(100_000))).toBe("string");
});
