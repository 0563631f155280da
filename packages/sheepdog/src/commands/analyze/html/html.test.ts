import { expect, test } from "vitest";
import { html, trusted } from "./html.ts";

test("strings are escaped, for elements and for attributes", () => {
  expect(html`<p title="${`"'\``}">${"</p><script>"}</p>`.html).toBe(
    '<p title="&quot;&#39;&#96;">&lt;/p&gt;&lt;script&gt;</p>',
  );
});

test("strings lose what moves a cursor or disguises them", () => {
  expect(html`${"a\u001b[31mb\u202ec\u0000\r\n  d"}`.html).toBe("ab c \n  d");
});

test("HTML stays as it is, lists are joined, and what is undefined is left out", () => {
  expect(html`${trusted("<b>")}${[html`<i>`, html`<u>`]}${undefined}${7}`.html).toBe("<b><i><u>7");
});

test("a line break of a template is nothing beside a tag or a value, and a space elsewhere", () => {
  const text = html`
    <p
      class="a">
      two
      words ${"and"}
      <b>more</b>
    </p>
  `;
  expect(text.html).toBe('<p class="a">two words and<b>more</b></p>');
});
