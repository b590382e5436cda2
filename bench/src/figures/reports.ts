import { call, cycle, getOrigin, readReports } from "../calls.js";
import type { Figure } from "../figure.js";
import { compare, overHttp, type Side } from "../load.js";
import type { BenchMerchant } from "../parties.js";
import { speedRow } from "../rows.js";
import type { System } from "../system.js";
import { createPayoutCalls } from "./payouts.js";

const READS_PER_SECOND = 10;

export const reports: Figure = {
  name: "reports",
  async measure(system) {
    const [merchant] = system.merchants;
    if (merchant === undefined) throw new Error("The benchmark has no merchant.");
    const alone = overHttp({ origin: getOrigin(system), next: await createPayoutCalls(system, [merchant]) });
    const load = await compare({ alone, read: whileReading(system, merchant, alone) });
    return [
      speedRow(
        `POST /payout, ${READS_PER_SECOND} reports of the merchant read per second`,
        load.read,
        load.alone,
        "without",
        { atLeast: 0.95 },
      ),
    ];
  },
};

/** Returns a side that runs `side` while reports are read, and fails if a read fails. */
function whileReading(system: System, merchant: BenchMerchant, side: Side): Side {
  const next = cycle(readReports(merchant, new Date().toISOString().slice(0, "2026-11-21".length)));
  return async (length) => {
    const reads: Promise<unknown>[] = [];
    const failures: unknown[] = [];
    const read = () =>
      reads.push(call(getOrigin(system), next()).catch((error: unknown) => failures.push(error)));
    const timer = setInterval(read, 1_000 / READS_PER_SECOND);
    const load = await side(length).finally(() => clearInterval(timer));
    await Promise.all(reads);
    if (failures.length > 0) throw failures[0];
    return load;
  };
}
