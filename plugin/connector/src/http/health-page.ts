import { escapeHtml } from "@tillgate/service/web/escape-html";
import type { ComparisonView } from "../payments/comparison-view.js";
import type { HealthView, OrderName } from "../payments/health-view.js";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** `3 minutes ago`, with the exact time as title. */
function ago(at: string, now: Date): string {
  const ageMs = Math.max(0, now.getTime() - Date.parse(at));
  const [unit, ms] = UNITS.find(([, one]) => ageMs >= one) ?? ["moment", 1];
  const count = Math.floor(ageMs / ms);
  const words = unit === "moment" ? "a moment ago" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  return `<time datetime="${escapeHtml(at)}" title="${escapeHtml(at)}">${words}</time>`;
}

function comparisonSection(view: ComparisonView, now: Date, token: string): string {
  const { differences, difference_count: count } = view;
  const remaining = count - differences.length;
  return `<section aria-labelledby="books">
<h2 id="books">Comparison with Tillgate</h2>
<p>${comparisonSummary(view, now)}</p>
${
  differences.length === 0
    ? ""
    : `<ul>${differences.map((one) => difference(view, one, token)).join("")}</ul>${
        remaining > 0 ? `<p>And ${remaining} more. Resolve some of these to see them.</p>` : ""
      }`
}
<form method="post" action="${formAction(view, "comparison")}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button${view.last?.under_way === true ? " disabled" : ""}>Compare now</button>
</form>
</section>`;
}

function comparisonSummary(
  { last, days, difference_count: count, accepted_count: accepted }: ComparisonView,
  now: Date,
): string {
  const intro = `Orders and refunds of the last ${days} days are compared with Tillgate every night.`;
  if (last === null) return `${intro} No comparison yet.`;
  if (last.under_way)
    return `${intro} Comparison in progress: ${payments(last.compared)} so far. <a href="?">Refresh</a>`;
  const skipped =
    last.skipped === 0 ? "" : ` ${payments(last.skipped)} couldn't be compared; see the last error below.`;
  const result = count === 0 ? "<strong>No differences.</strong>" : `<strong>${differences(count)}.</strong>`;
  const completed = `Last comparison ${ago(last.ended_at ?? last.started_at, now)}, ${payments(last.compared)}`;
  const acceptedText =
    accepted === 0
      ? ""
      : ` ${differences(accepted)} marked as correct ${accepted === 1 ? "isn't" : "aren't"} listed.`;
  return `${intro} ${completed}. ${result}${acceptedText}${skipped}`;
}

const differences = (count: number): string => (count === 1 ? "1 difference" : `${count} differences`);
const payments = (count: number): string => (count === 1 ? "1 payment" : `${count} payments`);

function difference(view: ComparisonView, one: ComparisonView["differences"][number], token: string): string {
  const name = {
    payment_id: String(one.payment_id),
    subject: one.subject,
    subject_id: one.subject_id,
    field: one.field,
  };
  const fields = Object.entries({ token, ...name }).map(
    ([field, value]) => `<input type="hidden" name="${field}" value="${escapeHtml(value)}">`,
  );
  const repair =
    one.repair_label === null
      ? ""
      : `<form method="post" action="${formAction(view, "repairs")}">${fields.join("")}<button>${escapeHtml(one.repair_label)}</button></form>`;
  const accept = `<form method="post" action="${formAction(view, "acceptances")}">${fields.join("")}<button>Mark as correct</button></form>`;
  return `<li><strong>Order ${orderLink(one)}.</strong> ${escapeHtml(one.text)}<small>${
    one.repair_label === null
      ? `How to fix it: ${escapeHtml(one.advice)}`
      : "You can fix this here. This doesn't move any money."
  }</small>${repair}${accept}</li>`;
}

/** Relative to the page, because a proxy may serve the connector under a path. */
const formAction = ({ store }: ComparisonView, intro: string): string =>
  escapeHtml(`${encodeURIComponent(store)}/${intro}`);

const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; --good: #1a7f37; --late: #9a6700; --bad: #cf222e; --line: color-mix(in srgb, currentColor 25%, transparent); }
@media (prefers-color-scheme: dark) { :root { --good: #4ac26b; --late: #d4a72c; --bad: #ff8182; } }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0; }
.status { border-left: .4rem solid; padding: .5rem 1rem; margin: 1rem 0; font-size: 1.1rem; }
.ok { border-color: var(--good); } .attention { border-color: var(--late); } .failing { border-color: var(--bad); }
.message, .test { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .8rem; }
.test { background: #ffd75e; color: #332600; border-color: transparent; }
dl { display: grid; grid-template-columns: minmax(9rem, 20rem) 1fr; gap: .4rem 1rem; margin: 0; }
dt { opacity: .8; } dd { margin: 0; overflow-wrap: anywhere; }
ul { padding: 0; list-style: none; }
li { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; margin: .5rem 0; overflow-wrap: anywhere; }
small { opacity: .8; display: block; font-size: .9rem; }
button { font: inherit; min-height: 2.75rem; padding: .4rem 1rem; border: 1px solid currentColor; border-radius: .4rem; background: none; color: inherit; cursor: pointer; margin-top: .5rem; }
button:disabled { opacity: .55; cursor: default; }
:is(a, button):focus-visible { outline: .2rem solid Highlight; outline-offset: .15rem; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .5rem; } button { width: 100%; } }`;

const messages = {
  comparing: "Comparison started. Refresh in a moment.",
  comparing_already: "A comparison is already in progress.",
  accepted: "Difference marked as correct.",
  repaired: "Fixed. The shop and Tillgate now match.",
  gone: "This difference no longer exists. Nothing was changed.",
  left: "The difference is still there. Follow the advice next to it.",
  not_repaired: "It couldn't be fixed. See the last error below and try again.",
  form_refused: "The form wasn't sent from this page, so nothing was changed. Please try again.",
} as const;
export type PageMessage = keyof typeof messages;
export const pageMessages = [
  "comparing",
  "comparing_already",
  "accepted",
  "repaired",
  "gone",
  "left",
  "not_repaired",
  "form_refused",
] as const satisfies readonly PageMessage[];

const STATUS_LABELS: Record<HealthView["status"], string> = {
  ok: "Working",
  attention: "Needs attention",
  failing: "Not working",
};

const WEBHOOK_STATE_LABELS: Record<HealthView["store_webhook"], string> = {
  unknown: "Unknown",
  off: "Not set up. Changes are polled every 2 minutes",
  active: "Active",
  paused: "Paused in the shop. Changes are polled every 2 minutes",
  disabled: "Disabled by the shop. Changes are polled every 2 minutes",
  missing: "Missing in the shop. Changes are polled every 2 minutes",
};

const EVENT_LABELS: Record<string, string> = {
  "pos.order.paid": "order paid",
  "pos.order.expired": "payment expired",
  "pos.order.cancelled": "payment cancelled",
  "pos.order.refunded": "order fully refunded",
  "refund.completed": "refund completed",
  "refund.failed": "refund failed",
  "tillgate.test": "test event",
};

const PROBLEM_LABELS: Record<string, string> = {
  mismatch: "Payment doesn't match order",
  given_up: "No longer tracked",
  refund_refused: "Refund rejected",
  refund_failed: "Refund failed",
  webhook_refused: "Webhooks rejected",
  store_webhook: "Shop webhook",
  clock: "Clock out of sync",
  behind: "Falling behind",
  site: "Database of another site",
  unreachable: "Unreachable",
  starts: "Payments can’t be started",
  skipped: "Unreadable orders",
  books: "Differences from Tillgate",
};

export type PageOptions = {
  now: Date;
  token: string;
  message: PageMessage | null;
};

/**
 * The health page, rendered on the server without scripts. It shows its time and a link to refresh it, but does not
 * reload by itself.
 */
export function healthPage(view: HealthView, { now, token, message }: PageOptions): string {
  const { clocks, last_error: error } = view;
  const title = `${STATUS_LABELS[view.status]}: ${view.store} and Tillgate`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(view.store)}: Tillgate status</h1>
${message === null ? "" : `<p class="message" role="status">${messages[message]}</p>`}
<p class="status ${view.status}"><strong>${STATUS_LABELS[view.status]}.</strong> ${escapeHtml(view.summary)}</p>
${view.mode === "sandbox" ? '<p class="test"><strong>Test mode.</strong> No real money is involved.</p>' : ""}
<p>As of <time datetime="${now.toISOString()}">${now.toISOString().slice(0, 19).replace("T", " ")} UTC</time>. <a href="?">Refresh</a></p>
<section aria-labelledby="needs">
<h2 id="needs">Needs attention</h2>
${view.problems.length === 0 ? "<p>Nothing right now.</p>" : `<ul>${view.problems.map((one) => problem(one, now)).join("")}</ul>`}
${clocks.warning === null ? "" : `<p>${escapeHtml(clocks.warning)}</p>`}
</section>
${comparisonSection(view.comparison, now, token)}
<section aria-labelledby="does">
<h2 id="does">Activity</h2>
<dl>${activityRows(view, now)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${value}</dd>`)
    .join("")}</dl>
</section>
<section aria-labelledby="error">
<h2 id="error">Last error</h2>
${
  error === null
    ? "<p>None.</p>"
    : `<p>${escapeHtml(error.words)}<small>${ago(error.at, now)}, while ${escapeHtml(error.doing)}${
        error.order_number === null ? "" : `, order ${orderLink(error)}`
      }${error.text === "" ? "" : `: ${escapeHtml(error.text)}`}</small></p>`
}
</section>
</main>
</body>
</html>
`;
}

/** The order's number in the shop, as a link to the order. */
const orderLink = ({ order_number: number, order_url: url }: OrderName): string =>
  url === null ? "" : `<a href="${escapeHtml(url)}">${escapeHtml(number ?? "")}</a>`;

const problem = (one: HealthView["problems"][number], now: Date): string =>
  `<li><strong>${escapeHtml(PROBLEM_LABELS[one.kind] ?? one.kind)}${
    one.order_number === null ? "" : `, order ${orderLink(one)}`
  }.</strong> ${escapeHtml(one.text)}<small>${
    one.times === 1 ? "" : `Seen ${one.times} times, last `
  }${ago(one.last_at, now)}</small></li>`;

/** Names are plain text; values are already HTML. */
function activityRows(view: HealthView, now: Date): [name: string, value: string][] {
  const { clocks, payments, last_sweep: sweep, last_webhook: webhook } = view;
  const event = webhook?.event;
  return [
    [
      "Last webhook from Tillgate",
      webhook === null
        ? "None yet"
        : `${ago(webhook.at, now)}${event === null || event === undefined ? "" : `: ${escapeHtml(EVENT_LABELS[event] ?? event)}`}`,
    ],
    [
      "Last check for missed webhooks",
      sweep === null
        ? "None yet"
        : `${ago(sweep.at, now)}${sweep.failed.length === 0 ? "" : `, failed while ${escapeHtml(sweep.failed.join(", "))}`}`,
    ],
    ["Shop webhook", WEBHOOK_STATE_LABELS[view.store_webhook]],
    [
      "Last webhook from the shop",
      view.last_store_webhook === null ? "None yet" : ago(view.last_store_webhook.at, now),
    ],
    ["Open payments", String(payments.under_way)],
    ["Open payments no longer tracked", String(payments.given_up)],
    ["Shop changes to process", String(view.waiting_changes)],
    ["Payments not matching their order", String(view.mismatches)],
    ["Shop clock", formatOffset(clocks.store)],
    ["Tillgate clock", formatOffset(clocks.tillgate)],
  ];
}

function formatOffset(seconds: number | undefined): string {
  if (seconds === undefined) return "Unknown";
  if (Math.abs(seconds) < 2) return "In sync";
  return `${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} this machine`;
}
