import { escapeHtml } from "@tillgate/service/web/escape-html";
import { Marked, type Tokens } from "marked";

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
export const drawMarkdown = (markdown: string): string => marked.parse(markdown, { async: false });
