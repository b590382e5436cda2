import { readFileSync } from "node:fs";
import { drawErrors, drawKeys } from "./general-pages.js";
import { drawOperation } from "./operation-page.js";
import { DESCRIPTION, operationGroups } from "./read-operations.js";

/** A page of the documentation. Its Markdown is the page: HTML is drawn from it. */
export type Page = { path: string; title: string; about: string; group: string; markdown: string };

/** The guides in the order in which a shop needs them; each is a file of `apps/api/guides`, and its code is run by a test. */
const GUIDES = ["first-payment", "webhooks", "refunds", "payouts", "testing", "going-live"] as const;
const folder = new URL("../../../guides/", import.meta.url);

function guide(name: string): Page {
  const markdown = readFileSync(new URL(`${name}.md`, folder), "utf8");
  const [heading = "", , about = ""] = markdown.split("\n");
  return { path: `/docs/guides/${name}`, title: heading.replace("# ", ""), about, group: "Guides", markdown };
}

/** All pages, the first page first. */
export function documentationPages(): Page[] {
  const guides = GUIDES.map(guide);
  const groups = operationGroups();
  const general: Page[] = [
    {
      path: "/docs/keys",
      title: "Keys",
      about: "Which key goes where.",
      group: "Reference",
      markdown: drawKeys(),
    },
    {
      path: "/docs/errors",
      title: "Errors",
      about: "Every error code, its cause, and what to do.",
      group: "Reference",
      markdown: drawErrors(),
    },
  ];
  const operations = groups.flatMap(({ name, operations: members }) =>
    members.map((operation) => ({
      path: `/docs/operations/${operation.id}`,
      title: operation.summary,
      about: operation.addresses[0] ?? "",
      group: name,
      markdown: drawOperation(operation),
    })),
  );
  const listed = (pages: Page[]) =>
    pages.map(({ path, title, about }) => `- [${title}](${path}): ${about}`).join("\n");
  const subjects = groups.map(
    ({ name, operations: members }) =>
      `## ${name}\n\n${members
        .map(
          ({ id, summary, addresses }) =>
            `- [${summary}](/docs/operations/${id}) ${addresses.map((one) => `\`${one}\``).join(" · ")}`,
        )
        .join("\n")}`,
  );
  const home = {
    path: "/docs",
    title: "Tillgate documentation",
    about: "Guides and every operation.",
    group: "Reference",
    markdown: `# Tillgate documentation

## Guides

${listed(guides)}

## Reference

${listed(general)}
- [Try calls out](/docs/try): with your sandbox key, in the browser
- [OpenAPI document](/openapi.json): for tools

${DESCRIPTION}

${subjects.join("\n\n")}
`,
  };
  return [home, ...guides, ...general, ...operations];
}

/** `llms.txt`: what there is to read, as Markdown. */
export function drawLlms(pages: readonly Page[]): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const sections = groups.map(
    (group) =>
      `## ${group}\n\n${pages
        .filter((page) => page.group === group)
        .map(({ path, title, about }) => `- [${title}](${path}.md): ${about}`)
        .join("\n")}`,
  );
  return `# Tillgate

> Wallet payments for shops: orders, refunds, payouts and signed webhooks. Every page is here as Markdown.

${sections.join("\n\n")}
`;
}
