import { describeTarget, type Figure, type Result, reaches } from "./figure.js";
import { liveStatus } from "./figures/live-status.js";
import { memory } from "./figures/memory.js";
import { orders } from "./figures/orders.js";
import { page } from "./figures/page.js";
import { payments } from "./figures/payments.js";
import { payouts } from "./figures/payouts.js";
import { refundList } from "./figures/refund-list.js";
import { start } from "./figures/start.js";
import { webhooks } from "./figures/webhooks.js";
import { startSystem } from "./system.js";

/** In the order of running: what fills the database comes last. */
const figures: readonly Figure[] = [
  start,
  page,
  liveStatus,
  webhooks,
  payments,
  payouts,
  orders,
  memory,
  refundList,
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !figures.some((figure) => figure.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no figure ${unknown.join(", ")}. There are: ${figures.map(({ name }) => name).join(", ")}.`,
  );
  process.exitCode = 2;
} else {
  await run(figures.filter(({ name }) => asked.length === 0 || asked.includes(name)));
}

async function run(chosen: readonly Figure[]): Promise<void> {
  const system = await startSystem();
  const results: Result[] = [];
  try {
    for (const figure of chosen) {
      console.log(`Measuring ${figure.name} …`);
      results.push(...(await figure.measure(system)));
    }
  } finally {
    await system.stop();
  }
  print(results);
  if (!results.every(reaches)) process.exitCode = 1;
}

function print(results: readonly Result[]): void {
  const rows = results.map((result) => [
    reaches(result) ? "reached" : "MISSED",
    String(result.value),
    describeTarget(result.target),
    result.measured,
    result.reference,
    result.what,
  ]);
  const lines = [["", "value", "target", "measured", "reference", "what"], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  console.log("");
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
