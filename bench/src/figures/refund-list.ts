import { call, getOrigin, listRefunds } from "../calls.js";
import type { Figure } from "../figure.js";
import { addRefunds, settleTables } from "../long-lists.js";
import { pickSize } from "../sized.js";
import { median, roundToCents } from "../statistics.js";

const MANY = pickSize(1_000_000, 10_000);
const FEW = 1_000;
const PER_PAGE = 20;
const READS = pickSize(15, 3);

export const refundList: Figure = {
  name: "refund-list",
  async measure(system) {
    const [big, small] = system.merchants.slice(-2);
    if (!big || !small) throw new Error("The benchmark has too few merchants.");
    await addRefunds(system, big, MANY);
    await addRefunds(system, small, FEW);
    await settleTables(system);
    const measureTime = async (merchant: typeof big, page: number): Promise<number> => {
      const times: number[] = [];
      for (let read = 0; read < READS; read += 1) {
        const startedAt = performance.now();
        await call(getOrigin(system), listRefunds(merchant, page));
        times.push(performance.now() - startedAt);
      }
      return median(times);
    };
    const pages = MANY / PER_PAGE;
    const ofSmall = await measureTime(small, 1);
    const first = await measureTime(big, 1);
    const middle = await measureTime(big, pages / 2);
    const last = await measureTime(big, pages);
    return [
      {
        what: `refund list, first page of ${MANY}`,
        measured: `${first.toFixed(1)} ms`,
        reference: `${ofSmall.toFixed(1)} ms first page of ${FEW}`,
        value: roundToCents(first / ofSmall),
        target: { atMost: 1.5 },
      },
      {
        what: `refund list, middle page of ${MANY}`,
        measured: `${middle.toFixed(1)} ms`,
        reference: `${first.toFixed(1)} ms first page`,
        value: roundToCents(middle / first),
        target: { atMost: 3 },
      },
      {
        what: `refund list, last page of ${MANY}`,
        measured: `${last.toFixed(1)} ms`,
        reference: `${first.toFixed(1)} ms first page`,
        value: roundToCents(last / first),
        target: { atMost: 3 },
      },
    ];
  },
};
