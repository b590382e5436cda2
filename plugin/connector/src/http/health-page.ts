import { escapeHtml } from "@tillgate/service/web/escape-html";
import type { Texts, Values } from "../health/texts.js";
import type { ComparisonView } from "../payments/comparison-view.js";
import type { HealthView, OrderName } from "../payments/health-view.js";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

type PageContext = Pick<PageOptions, "now" | "token" | "texts">;

function ago(at: string, { now, texts }: PageContext): string {
  const ageMs = Math.max(0, now.getTime() - Date.parse(at));
  const [unit, ms] = UNITS.find(([, one]) => ageMs >= one) ?? ["second", 1_000];
  const relative = new Intl.RelativeTimeFormat(`${texts.language}-u-nu-latn`, { numeric: "auto" });
  const label = relative.format(-Math.floor(ageMs / ms), unit);
  return `<time datetime="${escapeHtml(at)}" title="${escapeHtml(at)}">${escapeHtml(label)}</time>`;
}

function comparisonSection(view: ComparisonView, page: PageContext): string {
  const { differences, difference_count: count } = view;
  const { t } = page.texts;
  const remaining = count - differences.length;
  return `<section aria-labelledby="books">
<h2 id="books">${escapeHtml(t("Comparison with Tillgate"))}</h2>
<p>${comparisonSummary(view, page)}</p>
${
  differences.length === 0
    ? ""
    : `<ul>${differences.map((one) => difference(view, one, page)).join("")}</ul>${
        remaining > 0
          ? `<p>${escapeHtml(t("And {count} more. Resolve some of these to see them.", { count: remaining }))}</p>`
          : ""
      }`
}
<form method="post" action="${formAction(view, "comparison")}">
<input type="hidden" name="token" value="${escapeHtml(page.token)}">
<button${view.last?.under_way === true ? " disabled" : ""}>${escapeHtml(t("Compare now"))}</button>
</form>
</section>`;
}

function comparisonSummary(
  { last, days, difference_count: count, accepted_count: accepted }: ComparisonView,
  page: PageContext,
): string {
  const text = (english: string, values?: Values) => escapeHtml(page.texts.t(english, values));
  const sentences = [
    text("Orders and refunds of the last {days} days are compared with Tillgate every night.", { days }),
  ];
  if (last === null) return [...sentences, text("No comparison yet.")].join(" ");
  const compared = text("Payments compared: {count}.", { count: last.compared });
  if (last.under_way)
    return [...sentences, text("Comparison in progress."), compared, refreshLink(page)].join(" ");
  sentences.push(
    `${text("Last comparison:")} ${ago(last.ended_at ?? last.started_at, page)}.`,
    compared,
    `<strong>${count === 0 ? text("No differences.") : text("Differences: {count}.", { count })}</strong>`,
  );
  if (accepted > 0) sentences.push(text("Marked as correct and not listed: {count}.", { count: accepted }));
  if (last.skipped > 0)
    sentences.push(
      text("Payments that couldn’t be compared: {count}. See the last error below.", { count: last.skipped }),
    );
  return sentences.join(" ");
}

const refreshLink = ({ texts }: PageContext): string => `<a href="?">${escapeHtml(texts.t("Refresh"))}</a>`;

function difference(
  view: ComparisonView,
  one: ComparisonView["differences"][number],
  { token, texts: { t, stored } }: PageContext,
): string {
  const name = {
    payment_id: String(one.payment_id),
    subject: one.subject,
    subject_id: one.subject_id,
    field: one.field,
  };
  const fields = Object.entries({ token, ...name }).map(
    ([field, value]) => `<input type="hidden" name="${field}" value="${escapeHtml(value)}">`,
  );
  const form = (action: string, label: string) =>
    `<form method="post" action="${formAction(view, action)}">${fields.join("")}<button>${escapeHtml(label)}</button></form>`;
  const help =
    one.repair_label === null
      ? t("How to fix it: {advice}", { advice: stored(one.advice) })
      : t("You can fix this here.");
  return `<li><strong>${escapeHtml(t("Order"))} ${orderLink(one)}.</strong> ${escapeHtml(stored(one.text))}<small>${escapeHtml(help)}</small>${
    one.repair_label === null ? "" : form("repairs", stored(one.repair_label))
  }${form("acceptances", t("Mark as correct"))}</li>`;
}

/** The action is relative to the page, because a proxy may serve the connector under a path. */
const formAction = ({ store }: ComparisonView, action: string): string =>
  escapeHtml(`${encodeURIComponent(store)}/${action}`);

const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; --good: #1a7f37; --late: #9a6700; --bad: #cf222e; --line: color-mix(in srgb, currentColor 25%, transparent); }
@media (prefers-color-scheme: dark) { :root { --good: #4ac26b; --late: #d4a72c; --bad: #ff8182; } }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0; }
.status { border-inline-start: .4rem solid; padding: .5rem 1rem; margin: 1rem 0; font-size: 1.1rem; }
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
  repaired: "Difference fixed.",
  gone: "This difference no longer exists. Nothing was changed.",
  left: "The difference is still there. Follow the advice shown with it.",
  not_repaired: "It couldn’t be fixed. See the last error below and try again.",
  form_refused: "The form wasn’t sent from this page, so nothing was changed. Please try again.",
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
  off: "Not set up. Changes are found only by polling",
  active: "Active",
  paused: "Paused in the shop. Changes are found only by polling",
  disabled: "Disabled by the shop. Changes are found only by polling",
  missing: "Missing in the shop. Changes are found only by polling",
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
  mismatch: "Payment doesn’t match order",
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
  texts: Texts;
};

/** The page has no scripts, and does not reload automatically. */
export function healthPage(view: HealthView, options: PageOptions): string {
  const { clocks, last_error: error, store } = view;
  const { now, message, texts } = options;
  const { t, stored } = texts;
  const html = (english: string, values?: Values) => escapeHtml(t(english, values));
  const status = t(STATUS_LABELS[view.status]);
  const hasClockProblem = view.problems.some(({ kind }) => kind === "clock");
  const time = now.toISOString();
  return `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(status)}: ${html("{shop} and Tillgate", { shop: store })}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${html("{shop} and Tillgate", { shop: store })}</h1>
${message === null ? "" : `<p class="message" role="status">${html(messages[message])}</p>`}
<p class="status ${view.status}"><strong>${escapeHtml(status)}.</strong> ${escapeHtml(stored(view.summary))}</p>
${view.mode === "sandbox" ? `<p class="test">${html("Test mode: no real money is involved.")}</p>` : ""}
<p>${html("As of")} <time datetime="${time}">${time.slice(0, 19).replace("T", " ")} UTC</time>. ${refreshLink(options)}</p>
<section aria-labelledby="needs">
<h2 id="needs">${html("Needs attention")}</h2>
${
  view.problems.length === 0
    ? `<p>${html("Nothing right now.")}</p>`
    : `<ul>${view.problems.map((one) => problem(one, options)).join("")}</ul>`
}
${clocks.warning === null || hasClockProblem ? "" : `<p>${escapeHtml(stored(clocks.warning))}</p>`}
</section>
${comparisonSection(view.comparison, options)}
<section aria-labelledby="does">
<h2 id="does">${html("Activity")}</h2>
<dl>${activityRows(view, options)
    .map(([name, value]) => `<dt>${html(name)}</dt><dd>${value}</dd>`)
    .join("")}</dl>
</section>
<section aria-labelledby="error">
<h2 id="error">${html("Last error")}</h2>
${
  error === null
    ? `<p>${html("None.")}</p>`
    : `<p>${escapeHtml(stored(error.words))}<small>${ago(error.at, options)}: ${escapeHtml(stored(error.doing))}${
        error.order_number === null ? "" : `, ${html("Order")} ${orderLink(error)}`
      }${error.text === "" ? "" : `: <bdi>${escapeHtml(error.text)}</bdi>`}</small></p>`
}
</section>
</main>
</body>
</html>
`;
}

const orderLink = ({ order_number: number, order_url: url }: OrderName): string =>
  url === null ? "" : `<a href="${escapeHtml(url)}">${escapeHtml(number ?? "")}</a>`;

function problem(one: HealthView["problems"][number], page: PageContext): string {
  const { t, stored } = page.texts;
  const label = t(PROBLEM_LABELS[one.kind] ?? one.kind);
  const order = one.order_number === null ? "" : `: ${escapeHtml(t("Order"))} ${orderLink(one)}`;
  const times = one.times === 1 ? "" : `${escapeHtml(t("Seen {count} times.", { count: one.times }))} `;
  return `<li><strong>${escapeHtml(label)}${order}.</strong> ${escapeHtml(stored(one.text))}<small>${times}${ago(one.last_at, page)}</small></li>`;
}

/** Returns the rows of the activity list. Names are untranslated English texts, and values are HTML. */
function activityRows(view: HealthView, page: PageContext): [name: string, value: string][] {
  const { clocks, payments, last_sweep: sweep, last_webhook: webhook } = view;
  const { texts } = page;
  const html = (english: string) => escapeHtml(texts.t(english));
  const none = html("None yet");
  const event = webhook?.event ?? null;
  const failedSteps = sweep?.failed.map((doing) => texts.stored(doing)).join(", ") ?? "";
  return [
    [
      "Last webhook from Tillgate",
      webhook === null
        ? none
        : `${ago(webhook.at, page)}${event === null ? "" : `: ${html(EVENT_LABELS[event] ?? event)}`}`,
    ],
    [
      "Last check for missed webhooks",
      sweep === null
        ? none
        : `${ago(sweep.at, page)}${failedSteps === "" ? "" : `. ${escapeHtml(texts.t("Failed: {steps}", { steps: failedSteps }))}`}`,
    ],
    ["Shop webhook", html(WEBHOOK_STATE_LABELS[view.store_webhook])],
    [
      "Last webhook from the shop",
      view.last_store_webhook === null ? none : ago(view.last_store_webhook.at, page),
    ],
    ["Open payments", String(payments.under_way)],
    ["Open payments no longer tracked", String(payments.given_up)],
    ["Shop changes to process", String(view.waiting_changes)],
    ["Payments not matching their order", String(view.mismatches)],
    ["Shop clock", escapeHtml(formatOffset(clocks.store, texts))],
    ["Tillgate clock", escapeHtml(formatOffset(clocks.tillgate, texts))],
  ];
}

function formatOffset(seconds: number | undefined, { t }: Texts): string {
  if (seconds === undefined) return t("Unknown");
  if (Math.abs(seconds) < 2) return t("In sync");
  return t(seconds > 0 ? "{seconds} s ahead of this machine" : "{seconds} s behind this machine", {
    seconds: Math.abs(seconds),
  });
}
