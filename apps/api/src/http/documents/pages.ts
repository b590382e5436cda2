import { readFileSync } from "node:fs";
import { ErrorCode, getCause, getStatus, REMEDIES } from "@tillgate/contract";
import { escapeCell, renderOperation } from "./operation-page.js";
import { readDescription, readOperationGroups } from "./read-operations.js";

const renderKeys = (): string => `# Keys

Each key belongs to one mode: sandbox or live. Create it in the console under *Developers* → *API keys*. A secret is shown only once.

| Key | Format | Sent in | Used for |
|---|---|---|---|
| Client ID and secret | two strings | \`Authorization: Basic base64(client_id:client_secret)\` | Pay API: orders, refunds, webhooks, balances; in the sandbox \`/test\` |
| Client secret | string | not sent: your server verifies signatures with it | webhooks of an order's \`callback_url\` |
| Endpoint secret | \`whsec_…\` | never sent: your server verifies signatures with it | webhooks of an endpoint |
| Access token | from \`POST /pay/sandbox/api/v1/authentication/token\` | \`Authorization: Bearer\` | hosted payments |
| API token | string | \`Authorization: Bearer\` | Partner API: recipients, quotes, payouts. The token determines the mode |
| Publishable key | none | – | the browser needs no key: redirect the shopper to \`payment_url\` |

| Mode | Pay API | Partner API |
|---|---|---|
| Sandbox | \`/pay/sandbox/api/v1\` | \`/api/partner/sandbox/v1\` with a sandbox token |
| Live | \`/pay/api/v1\` | \`/api/partner/v1\` with a live token |

- Keep keys on your server. Never put one into a page, an app or a repository.
- A read-only key is enough for reports and dashboards.
- To change a client secret or API token, rotate it: the old one works until the time that you choose. To change an endpoint secret, rotate it: for a
  day, webhooks are signed with both.
`;

const row = (name: keyof typeof REMEDIES): string => {
  const errorCode: ErrorCode = ErrorCode[name];
  const statuses = [...new Set([getStatus(errorCode, "pay"), getStatus(errorCode, "partner")])].join(", ");
  const causes = [...new Set([getCause(errorCode, "pay"), getCause(errorCode, "partner")])].join(" ");
  return `| \`${errorCode.code}\` | ${statuses} | ${escapeCell(errorCode.text)} | ${escapeCell(causes)} | ${escapeCell(REMEDIES[name])} |`;
};

const renderErrors = (): string => `# Errors

Every error is a JSON object with \`error_code\`, the messages under \`message.error\`, and \`param\` if a single field is invalid. Rely on the
code: messages may change, codes never do. If two statuses are listed, the first is the Pay API's and the second is the Partner API's.

| Code | Status | Text | Cause | What to do |
|---|---|---|---|---|
${names().map(row).join("\n")}
`;

const isName = (name: string): name is keyof typeof REMEDIES => name in REMEDIES;
const names = (): (keyof typeof REMEDIES)[] =>
  Object.keys(REMEDIES)
    .filter(isName)
    .sort((a, b) => ErrorCode[a].code.localeCompare(ErrorCode[b].code));

/** A documentation page, whose HTML is rendered from `markdown`. */
export type Page = { path: string; title: string; about: string; group: string; markdown: string };

/** Guides in the order in which a shop needs them; each is a file in `apps/api/guides`, and a test runs its code. */
const GUIDES = [
  "first-payment",
  "webhooks",
  "refunds",
  "payouts",
  "reports",
  "comparisons",
  "testing",
  "going-live",
] as const;
const folder = new URL("../../../guides/", import.meta.url);

function readGuide(name: string): Page {
  const markdown = readFileSync(new URL(`${name}.md`, folder), "utf8");
  const [heading = "", , about = ""] = markdown.split("\n");
  return { path: `/docs/guides/${name}`, title: heading.replace("# ", ""), about, group: "Guides", markdown };
}

/** Creates all documentation pages, the start page first. */
export function createPages(): Page[] {
  const guides = GUIDES.map(readGuide);
  const groups = readOperationGroups();
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
  const formatPageList = (pages: Page[]) =>
    pages.map(({ path, title, about }) => `- [${title}](${path}): ${about}`).join("\n");
  const subjects = groups.map(
    ({ name, operations: members }) =>
      `## ${name}\n\n${members
        .map(
          ({ id, summary, addresses }) =>
            `- [${summary}](/docs/operations/${id}) ${addresses.map((address) => `\`${address}\``).join(" · ")}`,
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

${formatPageList(guides)}

## Reference

${formatPageList(general)}
- [Try the API](/docs/try): Call it from the browser with your sandbox key.
- [OpenAPI document](/openapi.json): For tools and code generators.

${readDescription()}

${subjects.join("\n\n")}
`,
  };
  return [home, ...guides, ...general, ...operations];
}

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
