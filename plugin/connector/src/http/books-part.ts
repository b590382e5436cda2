import { escapeHtml } from "@tillgate/service/web/escape-html";
import type { ComparisonView } from "../payments/comparison-view.js";
import { ago } from "./html.js";

/** The part of the health page that says whether the shop's books agree with Tillgate's. */
export function booksPart(view: ComparisonView, now: Date, token: string): string {
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
