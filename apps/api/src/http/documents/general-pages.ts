import { CURES, causeOf, Refusal, statusOf } from "@tillgate/contract";
import { cell } from "./operation-page.js";

/** Which key goes where, as Markdown. */
export const drawKeys = (): string => `# Keys

A key is of one mode: sandbox or live. Make it in the console, under *Developers*, *Keys*. A secret is shown once.

| Key | Looks like | Goes into | Opens |
|---|---|---|---|
| Client id and secret | two texts | \`Authorization: Basic base64(client_id:client_secret)\` | Pay API: orders, refunds, webhooks, balances; in the sandbox \`/test\` |
| Client secret | one text | nowhere: it is the key that your server verifies with | webhooks of an order's own \`callback_url\` |
| Endpoint secret | \`whsec_…\` | nowhere: it is the key that your server verifies with | webhooks of an endpoint |
| Access token | from \`POST /pay/sandbox/api/v1/authentication/token\` | \`Authorization: Bearer\` | hosted payments |
| API token | one text | \`Authorization: Bearer\` | Partner API: recipients, quotes, payouts. The token says the mode |
| Publishable part | none | – | the browser needs no key: send the shopper to \`payment_url\` |

| Mode | Pay API | Partner API |
|---|---|---|
| Sandbox | \`/pay/sandbox/api/v1\` | \`/api/partner/sandbox/v1\` with a sandbox token |
| Live | \`/pay/api/v1\` | \`/api/partner/v1\` with a live token |

- Keys stay on your server. None belongs into a page, an app or a repository.
- A key can be made for reading only: reports and dashboards need no more.
- To change a secret, rotate it: the old one works until the end that you choose.
`;

const row = (name: keyof typeof CURES): string => {
  const refusal: Refusal = Refusal[name];
  const statuses = [...new Set([statusOf(refusal, "pay"), statusOf(refusal, "partner")])].join(", ");
  const causes = [...new Set([causeOf(refusal, "pay"), causeOf(refusal, "partner")])].join(" ");
  return `| \`${refusal.code}\` | ${statuses} | ${cell(refusal.text)} | ${cell(causes)} | ${cell(CURES[name])} |`;
};

/** Every error code of both APIs, as Markdown. */
export const drawErrors = (): string => `# Errors

Every refusal is JSON with \`error_code\`, the sentences under \`message.error\`, and \`param\` where one field is to blame. Decide by the
code: sentences may change, a code never does. Two numbers are the status of the Pay API and of the Partner API.

| Code | Status | Text | Cause | What to do |
|---|---|---|---|---|
${names().map(row).join("\n")}
`;

const isName = (name: string): name is keyof typeof CURES => name in CURES;
const names = (): (keyof typeof CURES)[] =>
  Object.keys(CURES)
    .filter(isName)
    .sort((one, other) => Refusal[one].code.localeCompare(Refusal[other].code));
