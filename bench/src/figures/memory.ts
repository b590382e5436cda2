import { readdir, readFile } from "node:fs/promises";
import { createOrder, cycle, getOrigin } from "../calls.js";
import type { Figure } from "../figure.js";
import { sendRequests } from "../load.js";
import { pickSize } from "../sized.js";
import { roundToCents } from "../statistics.js";

const FEW = pickSize(1_000, 100);
const MANY = pickSize(100_000, 1_000);
const API_PROGRAM = "apps/api/dist/main.js";

/** Growth of the API's resident memory under load. Reads /proc, so it works on Linux only. */
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

/** @throws Error when the API's process is not found. */
async function findApiProcess(): Promise<number> {
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [command, status] = await Promise.all([read(name, "cmdline"), read(name, "status")]);
    if (command.includes(API_PROGRAM) && status.includes(`\nPPid:\t${process.pid}\n`)) return Number(name);
  }
  throw new Error("API process not found.");
}

/** Empty for a process that has just exited. */
const read = async (pid: string, file: string): Promise<string> =>
  readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");

async function readResidentKilobytes(pid: number): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await read(String(pid), "status")) ?? [];
  if (kilobytes === undefined) throw new Error("The API's memory cannot be read.");
  return Number(kilobytes);
}
