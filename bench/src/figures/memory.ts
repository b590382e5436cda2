import { createOrder, cycle, getOrigin } from "../calls.js";
import type { Figure } from "../figure.js";
import { sendRequests } from "../load.js";
import { findApiProcess, readResidentKilobytes } from "../resident-memory.js";
import { pickSize } from "../sized.js";
import { roundToCents } from "../statistics.js";

const FEW = pickSize(1_000, 100);
const MANY = pickSize(100_000, 1_000);

/** Measures the growth of the API's resident memory under load. It reads /proc, so it works on Linux only. */
export const memory: Figure = {
  name: "memory",
  async measure(system) {
    const pid = await findApiProcess();
    const merchant = cycle(system.merchants);
    const side = { origin: getOrigin(system), next: () => createOrder(merchant()) };
    await sendRequests(side, { amount: FEW });
    const before = await readResidentKilobytes(pid);
    await sendRequests(side, { amount: MANY - FEW });
    const after = await readResidentKilobytes(pid);
    return [
      {
        what: `api process: resident memory after ${MANY} requests`,
        measured: `${Math.round(after / 1024)} MB`,
        reference: `${Math.round(before / 1024)} MB after ${FEW}`,
        value: roundToCents(after / before),
        target: { atMost: 1.2 },
      },
    ];
  },
};
