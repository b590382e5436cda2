import { escapeHtml as escaped } from "@tillgate/service/web/escape-html";
import {
  DESCRIPTION,
  type Field,
  type Operation,
  type OperationGroup,
  operationGroups,
} from "./read-operations.js";

const PROOFS: Readonly<Record<string, string>> = {
  clientCredentials: "Authorization: Basic, with client id and secret",
  accessToken: "Authorization: Bearer, with an access token",
  apiToken: "Authorization: Bearer, with an API token",
};

/** `/docs`, without a script: every operation and event of the document, folded. */
export function drawReference(): string {
  const groups = operationGroups();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillgate API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<header>
<h1>Tillgate API reference</h1>
<p><a href="/docs/try">Try calls out</a> · <a href="/openapi.json">OpenAPI document</a></p>
<nav aria-label="Subjects">${groups.map(({ name }) => `<a href="#${escaped(name)}">${escaped(name)}</a>`).join("\n")}</nav>
</header>
<main>
${described(DESCRIPTION)}
${groups.map(drawGroup).join("\n")}
</main>
</body>
</html>
`;
}

const drawGroup = ({ name, operations }: OperationGroup): string => `<section id="${escaped(name)}">
<h2>${escaped(name)}</h2>
${operations.map(drawOperation).join("\n")}
</section>`;

function drawOperation({
  id,
  addresses,
  summary,
  description,
  proof,
  fields,
  example,
  answers,
}: Operation): string {
  const [first = "", ...others] = addresses;
  const drawn = answers.map(
    (answer) => `<details><summary>Answer ${code(answer.status)}</summary>
${described(answer.description)}${drawExample(`Answer ${answer.status} of ${summary}`, answer.example)}</details>`,
  );
  return `<details id="${escaped(id)}"><summary><strong>${escaped(summary)}</strong> ${code(first)}</summary>
${others.map((address) => `<p>Also ${code(address)}</p>`).join("")}${described(description)}
${proof === null ? "" : `<p>${escaped(PROOFS[proof] ?? proof)}</p>`}
${fields.length === 0 ? "" : `<dl>${fields.map(drawField).join("")}</dl>`}
${drawExample(`Body of ${summary}`, example)}${drawn.join("\n")}</details>`;
}

const code = (text: string): string => `<code>${escaped(text)}</code>`;

const drawField = ({ name, place, required, description }: Field): string =>
  `<div><dt>${code(name)} ${escaped(place)}${required ? ", required" : ""}</dt><dd>${line(description)}</dd></div>\n`;

/** What is wider than a phone is moved by keyboard too. */
const drawExample = (name: string, text: string | null): string =>
  text === null ? "" : `<pre tabindex="0" role="region" aria-label="${escaped(name)}">${escaped(text)}</pre>`;

/** A text of the document: paragraphs and lists, of the little Markdown that the contract's texts have. */
const described = (text: string): string =>
  text
    .split("\n\n")
    .map((part) =>
      part.startsWith("- ") ? list(part.split("\n")) : part === "" ? "" : `<p>${line(part)}</p>`,
    )
    .join("\n");

const list = (lines: string[]): string =>
  `<ul>${lines.map((one) => `<li>${line(one.replace(/^- /, ""))}</li>`).join("")}</ul>`;

/** Words in `code` and in **bold**. */
const line = (text: string): string =>
  escaped(text)
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replace(/`([^`]+)`/g, "<code>$1</code>");
