import type { HealthView } from "../payments/health-view.js";

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.status { border-left: .4rem solid; padding: .5rem 1rem; margin: 1rem 0; }
.ok { border-color: #1a7f37; } .attention { border-color: #bf8700; } .failing { border-color: #cf222e; }
dl { display: grid; grid-template-columns: minmax(9rem, 14rem) 1fr; gap: .4rem 1rem; margin: 0; }
dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
ul { padding: 0; list-style: none; }
li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; padding: .6rem .8rem; margin: .5rem 0; overflow-wrap: anywhere; }
small { opacity: .75; display: block; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .5rem; } }`;

const webhookStates: Record<HealthView["store_webhook"], string> = {
  unknown: "not known yet",
  off: "not set up: changes are found by the poll",
  active: "active",
  paused: "paused in the store",
  disabled: "webhook disabled by the store",
  missing: "not there",
};

/**
 * The health panel for people: drawn on the server, without scripts. It does not reload under its reader. It says its time,
 * and one link loads it again.
 */
export function healthPage(view: HealthView, now: Date): string {
  const { clocks, payments, last_error: error, last_sweep: sweep } = view;
  const facts: [string, string][] = [
    [
      "Last event of Tillgate",
      told(view.last_webhook?.at, view.last_webhook?.event ?? view.last_webhook?.outcome),
    ],
    [
      "Last sweep",
      told(sweep?.at, sweep === null ? undefined : `${sweep.seconds} s${failedSteps(sweep.failed)}`),
    ],
    ["The store's webhook", webhookStates[view.store_webhook]],
    ["Last word of the store", told(view.last_store_webhook?.at, view.last_store_webhook?.outcome)],
    ["Payments under way", String(payments.under_way)],
    ["of them given up", String(payments.given_up)],
    ["Changes that wait", String(view.waiting_changes)],
    ["Mismatches", String(view.mismatches)],
    ["The store's clock", ahead(clocks.store)],
    ["Tillgate's clock", ahead(clocks.tillgate)],
  ];
  const problems = view.problems.map(
    (problem) =>
      `<li>${escapeHtml(problem.text)}<small>${escapeHtml(problem.kind.replaceAll("_", " "))}${
        problem.order_id === null ? "" : `, order ${problem.order_id}`
      }, ${problem.times === 1 ? "once" : `${problem.times} times`}, last ${escapeHtml(problem.last_at)}</small></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(view.store)}: ${view.status}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Connector of ${escapeHtml(view.store)}</h1>
<p class="status ${view.status}"><strong>${view.status}</strong>: ${escapeHtml(view.summary)}</p>
<p>As of <time datetime="${now.toISOString()}">${now.toISOString().slice(0, 19).replace("T", " ")} UTC</time>. <a href="">Look again</a></p>
<dl>${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("")}</dl>
${clocks.warning === null ? "" : `<p>${escapeHtml(clocks.warning)}</p>`}
<h2>Problems</h2>
${problems.length === 0 ? "<p>None.</p>" : `<ul>${problems.join("")}</ul>`}
<h2>Last error</h2>
${
  error === null
    ? "<p>None.</p>"
    : `<p>${escapeHtml(error.words)}<small>${escapeHtml(error.at)}, ${escapeHtml(error.doing)}${
        error.order === null ? "" : `, order ${error.order}`
      }${error.text === "" ? "" : `: ${escapeHtml(error.text)}`}</small></p>`
}
</main>
</body>
</html>
`;
}

const told = (at: string | undefined, what: string | undefined): string =>
  at === undefined ? "none yet" : `${at}${what === undefined ? "" : ` (${what})`}`;

const failedSteps = (steps: string[]): string => (steps.length === 0 ? "" : `, failed ${steps.join(", ")}`);

function ahead(seconds: number | undefined): string {
  if (seconds === undefined) return "not known yet";
  if (Math.abs(seconds) < 2) return "in step";
  return `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the connector's`;
}
