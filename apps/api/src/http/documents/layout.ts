import { escapeHtml } from "@tillgate/service/web/escape-html";
import { Marked, type Tokens } from "marked";
import type { Page } from "./pages.js";

export const toHeadingId = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Lets a path break before a slash rather than inside a name. */
const breakPaths = (html: string): string => html.replace(/(?<=[\w}])\//g, "<wbr>/");

const marked = new Marked({ gfm: true });
marked.use({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${toHeadingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    codespan: ({ text }: Tokens.Codespan) => `<code>${breakPaths(escapeHtml(text))}</code>`,
    /** A code block can take the focus, so that wide code can be scrolled with the keyboard. */
    code({ text, lang = "" }: Tokens.Code): string {
      return `<pre tabindex="0" role="group" aria-label="${escapeHtml(lang === "" ? "Code" : `Code: ${lang}`)}"><code>${escapeHtml(text)}</code></pre>\n`;
    },
    table(token: Tokens.Table): string {
      const row = (cells: Tokens.TableCell[], tag: "th" | "td") =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>\n`;
      const body = token.rows.map((cells) => row(cells, "td")).join("");
      return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
    },
    /** The Markdown sources contain no HTML, so any HTML in them is escaped. */
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
  },
});

const renderMarkdown = (markdown: string): string => marked.parse(markdown, { async: false });

export const renderPage = ({ path, title, markdown }: Page): string =>
  renderShell({ title, markdownPath: `${path}.md`, query: "" }, renderMarkdown(markdown));

export const renderResults = (query: string, pages: readonly Page[]): string =>
  renderShell(
    { title: query === "" ? "Search" : `Search: ${query}`, markdownPath: null, query },
    `<h1>${query === "" ? "Search" : `Found for “${escapeHtml(query)}”`}</h1>
${pages.length === 0 ? "<p>Nothing was found. Try fewer or other words.</p>" : ""}
<ul>${pages.map(({ path, title, about, group }) => `<li><a href="${escapeHtml(path)}">${escapeHtml(title)}</a> <small>${escapeHtml(group)}</small><br>${breakPaths(escapeHtml(about))}</li>`).join("\n")}</ul>`,
  );

const renderShell = (
  { title, markdownPath, query }: { title: string; markdownPath: string | null; query: string },
  content: string,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Tillgate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
${markdownPath === null ? "" : `<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownPath)}">`}
</head>
<body>
<header>
<nav aria-label="Documentation"><a href="/docs">Tillgate documentation</a> <a href="/docs/keys">Keys</a> <a href="/docs/errors">Errors</a> <a href="/docs/try">Try calls out</a></nav>
<search><form action="/docs/search"><label for="q">Search the documentation</label> <input id="q" name="q" type="search" maxlength="100" value="${escapeHtml(query)}"> <button>Search</button></form></search>
</header>
<main>
${content}
</main>
${markdownPath === null ? "" : `<footer><p><a href="${escapeHtml(markdownPath)}">This page as Markdown</a></p></footer>`}
</body>
</html>
`;
