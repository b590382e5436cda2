import { escapeHtml as escaped, escapeHtml } from "@tillgate/service/web/escape-html";
import { Marked, type Tokens } from "marked";
import type { Page } from "./pages.js";

/** The id of a heading: its words, joined. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

const marked = new Marked({ gfm: true });
marked.use({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    /** What is wider than a phone is moved by keyboard too. */
    code({ text, lang = "" }: Tokens.Code): string {
      return `<pre tabindex="0" role="group" aria-label="${escapeHtml(lang === "" ? "Code" : `Code: ${lang}`)}"><code>${escapeHtml(text)}</code></pre>\n`;
    },
    table(token: Tokens.Table): string {
      const row = (cells: Tokens.TableCell[], tag: "th" | "td") =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>\n`;
      const body = token.rows.map((cells) => row(cells, "td")).join("");
      return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
    },
    /** The pages have no HTML of their own. */
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
  },
});

/** Draws a page's Markdown. */
const renderMarkdown = (markdown: string): string => marked.parse(markdown, { async: false });

/** One page of the documentation, without a script: search, content, and the way to its Markdown. */
export const renderPage = ({ path, title, markdown }: Page): string =>
  renderShell({ title, twin: `${path}.md`, query: "" }, renderMarkdown(markdown));

/** What a search found, the best first. */
export const renderResults = (query: string, found: readonly Page[]): string =>
  renderShell(
    { title: query === "" ? "Search" : `Search: ${query}`, twin: null, query },
    `<h1>${query === "" ? "Search" : `Found for “${escaped(query)}”`}</h1>
${found.length === 0 ? "<p>Nothing was found. Try fewer or other words.</p>" : ""}
<ul>${found.map(({ path, title, about, group }) => `<li><a href="${escaped(path)}">${escaped(title)}</a> <small>${escaped(group)}</small><br>${escaped(about)}</li>`).join("\n")}</ul>`,
  );

const renderShell = (
  { title, twin, query }: { title: string; twin: string | null; query: string },
  content: string,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Tillgate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
${twin === null ? "" : `<link rel="alternate" type="text/markdown" href="${escaped(twin)}">`}
</head>
<body>
<header>
<nav aria-label="Documentation"><a href="/docs">Tillgate documentation</a> <a href="/docs/keys">Keys</a> <a href="/docs/errors">Errors</a> <a href="/docs/try">Try calls out</a></nav>
<search><form action="/docs/search"><label for="q">Search the documentation</label> <input id="q" name="q" type="search" maxlength="100" value="${escaped(query)}"> <button>Search</button></form></search>
</header>
<main>
${content}
</main>
${twin === null ? "" : `<footer><p><a href="${escaped(twin)}">This page as Markdown</a></p></footer>`}
</body>
</html>
`;
