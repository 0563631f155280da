import { createHash } from "node:crypto";
import { type Html, html, trusted } from "./html.ts";
import { definitions, icon } from "./icon.ts";
import { pageScript } from "./page-script.ts";
import { pageStyle } from "./styles/page-style.ts";

/** What recognizes a page that this program wrote. It stands at the beginning of the file. */
export const generatorMark = '<meta name="generator" content="sheepdog analyze --html">';

/** The parts of a page that differ. */
export interface Page {
  readonly title: string;
  /** What stands beside the name of the program. */
  readonly subtitle: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
  readonly main: Html;
  readonly footer: Html;
}

/** A page that loads nothing: its policy allows its own style and its own script, and no address at all. */
export function page({ title, subtitle, sections, main, footer }: Page): string {
  const policy = [
    "default-src 'none'",
    `style-src '${digest(pageStyle)}'`,
    `script-src '${digest(pageScript)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const links = sections.map((section) => html`<a href="#${section.id}">${section.title}</a>`);
  const document = html`
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    ${trusted(generatorMark)}
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>${title}</title>
    <style>${trusted(pageStyle)}</style>
    </head>
    <body>
    <a class="skip" href="#main">Skip to content</a>
    ${definitions()}
    <header class="top">
      <span class="brand">${brand}Sheepdog</span>
      <nav class="nav" aria-label="Sections">${links}</nav>
      <span class="made">${subtitle}</span>
      <button class="btn" type="button" id="theme" hidden aria-label="Switch between light and dark">
        ${icon("theme")}
      </button>
    </header>
    <main id="main">${main}</main>
    <footer class="foot">${footer}</footer>
    <script>${trusted(pageScript)}</script>
    </body>
    </html>
  `;
  return `${document.html}\n`;
}

const brand = html`
  <svg viewBox="0 0 20 20" aria-hidden="true" fill="none">
    <path d="M15.6 6.3A7 7 0 1 0 17 10.6" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>
    <circle cx="10" cy="10.3" r="2.3" fill="currentColor"/>
  </svg>
`;

/** The content of an inline element as a policy names it. */
function digest(content: string): string {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}
