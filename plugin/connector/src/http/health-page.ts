import { escapeHtml } from "@tillgate/service/web/escape-html";
import type { ComparisonView } from "../payments/comparison-view.js";
import type { HealthView } from "../payments/health-view.js";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** `3 minutes ago`, with the time itself for who wants it exactly. */
function ago(at: string, now: Date): string {
  const ageMs = Math.max(0, now.getTime() - Date.parse(at));
  const [unit, ms] = UNITS.find(([, one]) => ageMs >= one) ?? ["moment", 1];
  const count = Math.floor(ageMs / ms);
  const words = unit === "moment" ? "a moment ago" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  return `<time datetime="${escapeHtml(at)}" title="${escapeHtml(at)}">${words}</time>`;
}

/** The part of the health page that says whether the shop's books agree with Tillgate's. */
function booksPart(view: ComparisonView, now: Date, token: string): string {
  const { differences, difference_count: count } = view;
  const more = count - differences.length;
  return `<section aria-labelledby="books">
<h2 id="books">Do the books agree?</h2>
<p>${inWords(view, now)}</p>
${
  differences.length === 0
    ? ""
    : `<ul>${differences.map((one) => difference(view, one, token)).join("")}</ul>${
        more > 0 ? `<p>And ${more} more. They are listed when some of these are gone.</p>` : ""
      }`
}
<form method="post" action="${action(view, "comparison")}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button${view.last?.under_way === true ? " disabled" : ""}>Compare now</button>
</form>
</section>`;
}

function inWords(
  { last, days, difference_count: count, accepted_count: accepted }: ComparisonView,
  now: Date,
): string {
  const what = `Each night the orders and refunds of the last ${days} days are compared with Tillgate's.`;
  if (last === null) return `${what} That was not done yet.`;
  if (last.under_way)
    return `${what} That is being done now: ${payments(last.compared)} so far. <a href="?">Look again</a>`;
  const skipped =
    last.skipped === 0
      ? ""
      : ` ${payments(last.skipped)} could not be compared; the last error below says why.`;
  const found = count === 0 ? "<strong>All agree.</strong>" : `<strong>${differences(count)}.</strong>`;
  const done = `Done ${ago(last.ended_at ?? last.started_at, now)} for ${payments(last.compared)}`;
  const right =
    accepted === 0
      ? ""
      : ` ${differences(accepted)} that you said to be right ${accepted === 1 ? "is" : "are"} not listed.`;
  return `${what} ${done}. ${found}${right}${skipped}`;
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
      : `<form method="post" action="${action(view, "repairs")}">${fields.join("")}<button>${escapeHtml(one.repair_label)}</button></form>`;
  const accept = `<form method="post" action="${action(view, "acceptances")}">${fields.join("")}<button>It is right so</button></form>`;
  return `<li><strong>Order ${one.order_id}.</strong> ${escapeHtml(one.text)}<small>${
    one.repair_label === null
      ? `What to do: ${escapeHtml(one.advice)}`
      : "This can be repaired here. No money moves."
  }</small>${repair}${accept}</li>`;
}

/** Relative to the page, because a proxy may have the connector under a path. */
const action = ({ store }: ComparisonView, what: string): string =>
  escapeHtml(`${encodeURIComponent(store)}/${what}`);

const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; --good: #1a7f37; --late: #9a6700; --bad: #cf222e; --line: color-mix(in srgb, currentColor 25%, transparent); }
@media (prefers-color-scheme: dark) { :root { --good: #4ac26b; --late: #d4a72c; --bad: #ff8182; } }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0; }
.status { border-left: .4rem solid; padding: .5rem 1rem; margin: 1rem 0; font-size: 1.1rem; }
.ok { border-color: var(--good); } .attention { border-color: var(--late); } .failing { border-color: var(--bad); }
.said, .test { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .8rem; }
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

/** What the page says after a form. */
const messages = {
  comparing: "The comparison has begun. Look again in a moment.",
  comparing_already: "A comparison is under way already.",
  accepted: "Noted: that difference is right as it is.",
  repaired: "Repaired: shop and Tillgate agree there now.",
  gone: "That difference is there no more. Nothing was changed.",
  left: "The difference is still there. Please follow what is said beside it.",
  not_repaired: "It could not be repaired now. The last error below says why; please try again.",
  form_refused: "That was not sent from this page, so nothing was done. Please try again here.",
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

const statusWords: Record<HealthView["status"], string> = {
  ok: "Working",
  attention: "Needs you",
  failing: "Not working",
};

const webhookStates: Record<HealthView["store_webhook"], string> = {
  unknown: "Not known yet",
  off: "No: it is not set up. Changes are found by looking every 2 minutes",
  active: "Yes, at once",
  paused: "No: its webhook is paused in the shop. Changes are found by looking every 2 minutes",
  disabled: "No: the shop switched its webhook off. Changes are found by looking every 2 minutes",
  missing: "No: the shop has no webhook for it. Changes are found by looking every 2 minutes",
};

const eventWords: Record<string, string> = {
  "pos.order.paid": "an order was paid",
  "pos.order.expired": "a payment expired",
  "pos.order.cancelled": "a payment was cancelled",
  "pos.order.refunded": "an order was refunded in full",
  "refund.completed": "a refund was paid back",
  "refund.failed": "a refund failed",
  "tillgate.test": "a test",
};

const problemWords: Record<string, string> = {
  mismatch: "Payment and order do not fit",
  given_up: "Not followed any more",
  refund_refused: "A refund was refused",
  refund_failed: "A refund failed",
  webhook_refused: "Messages are refused",
  store_webhook: "The shop's own messages",
  clock: "A clock is wrong",
  behind: "Behind with reading",
  site: "Moved, or a copy?",
  unreachable: "Cannot be reached",
  starts: "Payments are not started",
  skipped: "Orders that cannot be read",
  books: "The books differ",
};

export type PageOptions = {
  now: Date;
  /** Of the page's forms. */
  token: string;
  /** What the form before came to. */
  message: PageMessage | null;
};

/**
 * The health panel for people: drawn on the server, without scripts. It does not reload under its reader. It says its time,
 * and one link loads it again.
 */
export function healthPage(view: HealthView, { now, token, message }: PageOptions): string {
  const { clocks, last_error: error } = view;
  const title = `${statusWords[view.status]}: ${view.store} and Tillgate`;
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
<h1>How ${escapeHtml(view.store)} and Tillgate work together</h1>
${message === null ? "" : `<p class="said" role="status">${messages[message]}</p>`}
<p class="status ${view.status}"><strong>${statusWords[view.status]}.</strong> ${escapeHtml(view.summary)}</p>
${view.mode === "sandbox" ? '<p class="test"><strong>Test mode.</strong> Payments move no real money.</p>' : ""}
<p>As of <time datetime="${now.toISOString()}">${now.toISOString().slice(0, 19).replace("T", " ")} UTC</time>. <a href="?">Look again</a></p>
<section aria-labelledby="needs">
<h2 id="needs">What needs you</h2>
${view.problems.length === 0 ? "<p>Nothing.</p>" : `<ul>${view.problems.map((one) => problem(one, now)).join("")}</ul>`}
${clocks.warning === null ? "" : `<p>${escapeHtml(clocks.warning)}</p>`}
</section>
${booksPart(view.comparison, now, token)}
<section aria-labelledby="does">
<h2 id="does">What it does</h2>
<dl>${facts(view, now)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${value}</dd>`)
    .join("")}</dl>
</section>
<section aria-labelledby="error">
<h2 id="error">Last error</h2>
${
  error === null
    ? "<p>None.</p>"
    : `<p>${escapeHtml(error.words)}<small>${ago(error.at, now)}, while ${escapeHtml(error.doing)}${
        error.order === null ? "" : `, order ${error.order}`
      }${error.text === "" ? "" : `: ${escapeHtml(error.text)}`}</small></p>`
}
</section>
</main>
</body>
</html>
`;
}

const orderLink = (id: number, url: string | null): string =>
  url === null ? `order ${id}` : `<a href="${escapeHtml(url)}">order ${id}</a>`;

const problem = (one: HealthView["problems"][number], now: Date): string =>
  `<li><strong>${escapeHtml(problemWords[one.kind] ?? one.kind)}${
    one.order_id === null ? "" : `, ${orderLink(one.order_id, one.order_url)}`
  }.</strong> ${escapeHtml(one.text)}<small>${
    one.times === 1 ? "" : `Seen ${one.times} times, last `
  }${ago(one.last_at, now)}</small></li>`;

/** The names are text, the values HTML. */
function facts(view: HealthView, now: Date): [name: string, value: string][] {
  const { clocks, payments, last_sweep: sweep, last_webhook: webhook } = view;
  const event = webhook?.event;
  return [
    [
      "Tillgate told last",
      webhook === null
        ? "Nothing yet"
        : `${ago(webhook.at, now)}${event === null || event === undefined ? "" : `: ${escapeHtml(eventWords[event] ?? event)}`}`,
    ],
    [
      "Looked for lost messages",
      sweep === null
        ? "Not yet"
        : `${ago(sweep.at, now)}${sweep.failed.length === 0 ? "" : `, but failed ${escapeHtml(sweep.failed.join(", "))}`}`,
    ],
    ["The shop tells of its changes", webhookStates[view.store_webhook]],
    [
      "The shop told last",
      view.last_store_webhook === null ? "Nothing yet" : ago(view.last_store_webhook.at, now),
    ],
    ["Payments that wait for a shopper", String(payments.under_way)],
    ["of them not followed any more", String(payments.given_up)],
    ["Changes in the shop still to be looked at", String(view.waiting_changes)],
    ["Payments that do not fit their order", String(view.mismatches)],
    ["The shop's clock", ahead(clocks.store)],
    ["Tillgate's clock", ahead(clocks.tillgate)],
  ];
}

function ahead(seconds: number | undefined): string {
  if (seconds === undefined) return "Not known yet";
  if (Math.abs(seconds) < 2) return "Right";
  return `${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} this machine's`;
}
