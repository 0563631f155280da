import { Lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";

/** Characters. A longer text is cut before it is read. */
const MAX_CHARS = 60_000;

/**
 * Shows markdown from models and files. Everything becomes text nodes: HTML is shown as it is written, links are
 * followed only to http and https and show their target, images are not loaded.
 */
export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => Lexer.lex(text.slice(0, MAX_CHARS), { gfm: true }), [text]);
  return (
    <div class="md">
      {blocks(tokens)}
      {text.length > MAX_CHARS && <p class="faint">The rest of this text is not shown.</p>}
    </div>
  );
}

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token) => block(token as Tokens.Generic)); // the types of extensions are not used
}

function block(token: Tokens.Generic): ComponentChildren {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return <p class="md-h">{inlineOf(token)}</p>;
    case "hr":
      return <hr />;
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus
        <pre class="out" tabIndex={0}>
          {token["text"]}
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case "list":
      return list(token as unknown as Tokens.List); // by its type
    case "table":
      return table(token as unknown as Tokens.Table); // by its type
    case "html":
      return <p>{token.raw}</p>;
    case "paragraph":
      return <p>{inlineOf(token)}</p>;
    default:
      return token.tokens === undefined ? <p>{textOf(token)}</p> : <p>{inlineOf(token)}</p>;
  }
}

function list({ ordered, start, items }: Tokens.List): ComponentChildren {
  const rows = items.map((item) => (
    <li>
      {item.task && (item.checked ? "☑ " : "☐ ")}
      {item.tokens.map((token) =>
        token.type === "text" ? inlineOf(token as Tokens.Generic) : block(token as Tokens.Generic),
      )}
    </li>
  ));
  return ordered ? <ol start={start === "" ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function table({ header, rows }: Tokens.Table): ComponentChildren {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus
    <div class="scroll-x" tabIndex={0}>
      <table class="md-table">
        <thead>
          <tr>
            {header.map(({ tokens }) => (
              <th scope="col">{inline(tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map(({ tokens }) => (
                <td>{inline(tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlineOf(token: Tokens.Generic): ComponentChildren {
  return token.tokens === undefined ? textOf(token) : inline(token.tokens);
}

function inline(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((each) => {
    const token = each as Tokens.Generic; // the types of extensions are not used
    switch (token.type) {
      case "strong":
        return <b>{inlineOf(token)}</b>;
      case "em":
        return <em>{inlineOf(token)}</em>;
      case "del":
        return <s>{inlineOf(token)}</s>;
      case "codespan":
        return <code>{token["text"]}</code>;
      case "br":
        return <br />;
      case "link":
        return link(token as unknown as Tokens.Link); // by its type
      case "image":
        return `${token["text"]} (image: ${token["href"]})`;
      case "html":
        return token.raw;
      default:
        return inlineOf(token);
    }
  });
}

/** A link with its target in words, unless the words are the target. */
function link({ href, text, tokens }: Tokens.Link): ComponentChildren {
  const isWeb = /^https?:\/\//i.test(href);
  const words = inline(tokens);
  if (!isWeb) return text === href ? words : [words, ` (${href})`];
  const anchor = (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {words}
    </a>
  );
  return text === href ? anchor : [anchor, <span class="faint"> ({href})</span>];
}

/** The text of a token, with the characters that markdown writes as entities. */
function textOf(token: Tokens.Generic): string {
  const text = typeof token["text"] === "string" ? token["text"] : token.raw;
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
