import { isBelowBaseline } from "./baseline.js";
import { describeResult, type Figure, judge, type Result } from "./figure.js";
import { bulkPayouts } from "./figures/bulk-payouts.js";
import { consoleLists } from "./figures/console-lists.js";
import { cost } from "./figures/cost.js";
import { cpu } from "./figures/cpu.js";
import { liveStatus } from "./figures/live-status.js";
import { memory } from "./figures/memory.js";
import { orders } from "./figures/orders.js";
import { page } from "./figures/page.js";
import { payments } from "./figures/payments.js";
import { payouts } from "./figures/payouts.js";
import { peers } from "./figures/peers.js";
import { refundList } from "./figures/refund-list.js";
import { refunds } from "./figures/refunds.js";
import { replication } from "./figures/replication.js";
import { reportMonth } from "./figures/report-month.js";
import { reports } from "./figures/reports.js";
import { start } from "./figures/start.js";
import { webhookIsolation } from "./figures/webhook-isolation.js";
import { webhooks } from "./figures/webhooks.js";
import { describeMachine, measureMachine } from "./machine.js";
import { openReport } from "./report.js";
import { isShort } from "./sized.js";
import { type System, startSystem } from "./system.js";

/** Figures that count CPU time or compare with other programs come first, because autovacuum of a filled database would count as theirs. */
const figures: readonly Figure[] = [
  start,
  cpu,
  cost,
  peers,
  page,
  liveStatus,
  webhooks,
  webhookIsolation,
  payments,
  payouts,
  bulkPayouts,
  reports,
  orders,
  refunds,
  replication,
  memory,
  refundList,
  consoleLists,
  reportMonth,
];

const requestedFigures = process.argv.slice(2).filter((word) => word !== "--short");
const unknown = requestedFigures.filter((name) => !figures.some((figure) => figure.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown figure: ${unknown.join(", ")}. Available: ${figures.map(({ name }) => name).join(", ")}.`,
  );
  process.exitCode = 2;
} else {
  await run(figures.filter(({ name }) => requestedFigures.length === 0 || requestedFigures.includes(name)));
}

/** Measures a figure again if a row falls below its baseline: a real regression appears twice. */
async function measureRepeatedly(figure: Figure, system: System): Promise<Result[]> {
  const results = await figure.measure(system);
  const regressed = results.filter((result) => isBelowBaseline(result));
  if (regressed.length === 0) return results;
  for (const { what, value } of regressed) console.log(`Measuring again: ${what}, ${value}`);
  return figure.measure(system);
}

/** Measures each figure independently: a failure does not stop the next figure, and rows are saved as they are measured. */
async function run(selected: readonly Figure[]): Promise<void> {
  const machine = await measureMachine();
  console.log(describeMachine(machine));
  const report = await openReport({ machine, short: isShort });
  console.log(`Every row is also written to ${report.file}.`);
  const system = await startSystem();
  let failed = 0;
  try {
    for (const figure of selected) {
      console.log(`\nMeasuring ${figure.name}…`);
      try {
        for (const result of await measureRepeatedly(figure, system)) {
          const verdict = judge(result, !isShort);
          console.log(describeResult(result, verdict));
          await report.row(figure.name, result, verdict);
          const hasRegressed = isBelowBaseline(result);
          if (hasRegressed)
            console.log(
              `REGRESSED   ${result.what}: more than 20% below its baseline in bench/baseline.json`,
            );
          if (hasRegressed || verdict === "MISSED") failed += 1;
        }
      } catch (error) {
        failed += 1;
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        console.log(`FAILED      ${figure.name}: ${reason}`);
        await report.failure(figure.name, reason);
      }
    }
  } finally {
    await system.stop();
  }
  const allWell = isShort
    ? "Every selected figure was measured, and none regressed from its baseline; targets were not judged."
    : "All targets were met.";
  console.log(
    failed === 0
      ? `\n${allWell}`
      : `\nFailures: ${failed} (rows that missed their target or regressed, and figures that could not be measured).`,
  );
  if (failed > 0) process.exitCode = 1;
}
