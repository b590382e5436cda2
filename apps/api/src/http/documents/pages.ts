import { readFileSync } from "node:fs";
import { causeOf, ErrorCode, REMEDIES, statusOf } from "@tillgate/contract";
import { cell, renderOperation } from "./operation-page.js";
import { DESCRIPTION, operationGroups } from "./read-operations.js";

/** Which credentials belong where, as Markdown. */
const renderKeys = (): string => `# Keys

A key is of one mode: sandbox or live. Make it in the console, under *Developers*, *Keys*. A secret is shown once.

| Key | Looks like | Goes into | Opens |
|---|---|---|---|
| Client id and secret | two texts | \`Authorization: Basic base64(client_id:client_secret)\` | Pay API: orders, refunds, webhooks, balances; in the sandbox \`/test\` |
| Client secret | one text | nowhere: it is the key that your server verifies with | webhooks of an order's own \`callback_url\` |
| Endpoint secret | \`whsec_…\` | nowhere: it is the key that your server verifies with | webhooks of an endpoint |
| Access token | from \`POST /pay/sandbox/api/v1/authentication/token\` | \`Authorization: Bearer\` | hosted payments |
| API token | one text | \`Authorization: Bearer\` | Partner API: recipients, quotes, payouts. The token determines the mode |
| Publishable part | none | – | the browser needs no key: send the shopper to \`payment_url\` |

| Mode | Pay API | Partner API |
|---|---|---|
| Sandbox | \`/pay/sandbox/api/v1\` | \`/api/partner/sandbox/v1\` with a sandbox token |
| Live | \`/pay/api/v1\` | \`/api/partner/v1\` with a live token |

- Keys stay on your server. None belongs into a page, an app or a repository.
- A key can be made for reading only: reports and dashboards need no more.
- To change a secret, rotate it: the old one works until the end that you choose.
`;

const row = (name: keyof typeof REMEDIES): string => {
  const errorCode: ErrorCode = ErrorCode[name];
  const statuses = [...new Set([statusOf(errorCode, "pay"), statusOf(errorCode, "partner")])].join(", ");
  const causes = [...new Set([causeOf(errorCode, "pay"), causeOf(errorCode, "partner")])].join(" ");
  return `| \`${errorCode.code}\` | ${statuses} | ${cell(errorCode.text)} | ${cell(causes)} | ${cell(REMEDIES[name])} |`;
};

/** Every error code of both APIs, as Markdown. */
const renderErrors = (): string => `# Errors

Every refusal is JSON with \`error_code\`, the sentences under \`message.error\`, and \`param\` where one field is to blame. Decide by the
code: sentences may change, a code never does. Two numbers are the status of the Pay API and of the Partner API.

| Code | Status | Text | Cause | What to do |
|---|---|---|---|---|
${names().map(row).join("\n")}
`;

const isName = (name: string): name is keyof typeof REMEDIES => name in REMEDIES;
const names = (): (keyof typeof REMEDIES)[] =>
  Object.keys(REMEDIES)
    .filter(isName)
    .sort((one, other) => ErrorCode[one].code.localeCompare(ErrorCode[other].code));

/** A documentation page. HTML is rendered from its Markdown. */
export type Page = { path: string; title: string; about: string; group: string; markdown: string };

/** Guides in the order in which a shop needs them; each is a file of `apps/api/guides`, and a test runs its code. */
const GUIDES = ["first-payment", "webhooks", "refunds", "payouts", "testing", "going-live"] as const;
const folder = new URL("../../../guides/", import.meta.url);

function guide(name: string): Page {
  const markdown = readFileSync(new URL(`${name}.md`, folder), "utf8");
  const [heading = "", , about = ""] = markdown.split("\n");
  return { path: `/docs/guides/${name}`, title: heading.replace("# ", ""), about, group: "Guides", markdown };
}

/** All pages, the start page first. */
export function documentationPages(): Page[] {
  const guides = GUIDES.map(guide);
  const groups = operationGroups();
  const general: Page[] = [
    {
      path: "/docs/keys",
      title: "Keys",
      about: "Which key goes where.",
      group: "Reference",
      markdown: renderKeys(),
    },
    {
      path: "/docs/errors",
      title: "Errors",
      about: "Every error code, its cause, and what to do.",
      group: "Reference",
      markdown: renderErrors(),
    },
  ];
  const operations = groups.flatMap(({ name, operations: members }) =>
    members.map((operation) => ({
      path: `/docs/operations/${operation.id}`,
      title: operation.summary,
      about: operation.addresses[0] ?? "",
      group: name,
      markdown: renderOperation(operation),
    })),
  );
  const listed = (pages: Page[]) =>
    pages.map(({ path, title, about }) => `- [${title}](${path}): ${about}`).join("\n");
  const subjects = groups.map(
    ({ name, operations: members }) =>
      `## ${name}\n\n${members
        .map(
          ({ id, summary, addresses }) =>
            `- [${summary}](/docs/operations/${id}) ${addresses.map((page) => `\`${page}\``).join(" · ")}`,
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

/** `llms.txt`: the list of pages, as Markdown. */
export function renderLlms(pages: readonly Page[]): string {
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
