import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
// Makes hashes of PINs cheap. Imported only here, because unit tests share their modules.
import "../../scripts/testing/cheap-hashes.js";
import { startCluster } from "./cluster.js";
import type { Databases, Fault } from "./databases.js";
import { runDrill } from "./drill.js";
import { FAULTS } from "./faults.js";
import { runImage } from "./guide/image.js";
import { runInstallation } from "./guide/installation.js";
import { runGuide } from "./guide/main.js";
import { judge, runHistory } from "./history/main.js";
import { PAIR_FAULTS, startPair } from "./pair.js";
import { findMissingPrograms } from "./program.js";
import { describeOutcome, isPassed, type Outcome } from "./report.js";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    faults: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    synchronous: { type: "string", default: "both" },
    keep: { type: "boolean", default: false },
    guide: { type: "boolean", default: false },
    installation: { type: "boolean", default: false },
    image: { type: "boolean", default: false },
    report: { type: "string" },
    history: { type: "boolean", default: false },
    operations: { type: "string", default: "1000000" },
    check: { type: "string" },
    edn: { type: "string" },
  },
});
const count = Number(values.faults ?? (values.short ? 3 : 10));
const chooseFaults = <Cluster extends Databases>(faults: readonly Fault<Cluster>[]): Fault<Cluster>[] =>
  faults.filter(({ name }) => values.only.length === 0 || values.only.some((word) => name.includes(word)));
const names = (values.short ? chooseFaults(PAIR_FAULTS) : chooseFaults(FAULTS)).map(({ name }) => name);
if (
  !Number.isInteger(count) ||
  count < 1 ||
  names.length === 0 ||
  !["on", "off", "both"].includes(values.synchronous)
) {
  console.error(
    `Usage: npm run drill -- [--short] [--faults N] [--synchronous on|off|both] [--only word]… [--report file] [--keep]\n       npm run drill -- --guide|--installation|--image [--keep]\n       npm run drill -- --history [--operations N] [--keep]\n       npm run drill -- --check history.jsonl [--edn history.edn]\nFaults:\n  ${FAULTS.map(({ name }) => name).join("\n  ")}\nWith --short:\n  ${PAIR_FAULTS.map(({ name }) => name).join("\n  ")}`,
  );
  process.exit(2);
}

const operations = Number(values.operations);
if (values.check !== undefined) process.exit((await judge(values.check, values.edn)) ? 0 : 1);
for (const [isChosen, runChosen] of [
  [values.history, runHistory],
  [values.guide, runGuide],
  [values.installation, runInstallation],
  [values.image, runImage],
] as const)
  if (isChosen) process.exit((await runChosen({ keep: values.keep, operations })) ? 0 : 1);

const missing = values.short ? [] : findMissingPrograms(["patroni", "etcd", "haproxy", "pgbouncer"]);
if (missing.length > 0) {
  console.error(
    `Not found: ${missing.join(", ")}. On Debian: apt install patroni etcd-server haproxy pgbouncer postgresql-15`,
  );
  process.exit(2);
}

const outcomes: Outcome[] = [];
for (const synchronous of values.synchronous === "both" ? [true, false] : [values.synchronous === "on"]) {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-drill-"));
  // When root runs the drill, the cluster's programs run as another user.
  await chmod(folder, 0o711);
  console.log(`Synchronous replication: ${synchronous ? "on" : "off"}. Folder: ${folder}`);
  const print = (line: string): void => console.log(line);
  const run = { folder, synchronous, count, say: print };
  const outcome = values.short
    ? await runDrill({ ...run, start: startPair, faults: chooseFaults(PAIR_FAULTS) })
    : await runDrill({ ...run, start: startCluster, faults: chooseFaults(FAULTS) });
  outcomes.push(outcome);
  print(`\n${describeOutcome(outcome)}\n`);
  if (values.report !== undefined)
    await writeFile(values.report, `${outcomes.map(describeOutcome).join("\n\n")}\n`);
  if (!values.keep) await rm(folder, { recursive: true, force: true });
}
// With asynchronous replication something must be lost, or the drill cannot detect losses.
process.exitCode = outcomes.every((outcome) => isPassed(outcome) === outcome.synchronous) ? 0 : 1;
