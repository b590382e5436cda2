import { createHash } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { median } from "./statistics.js";

const HASHING_MS = 1_000;
const HASHED = Buffer.alloc(1_024, 7);
const WRITES = 50;
const WRITTEN = Buffer.alloc(8_192, 7);

/** The speed of the machine, for comparing runs: times depend on it, but ratios should not. */
export type Machine = {
  cores: number;
  model: string;
  hashesPerSecond: number;
  fsyncMs: number;
  node: string;
};

export async function measureMachine(): Promise<Machine> {
  const processors = cpus();
  return {
    cores: processors.length,
    model: processors[0]?.model ?? "unknown",
    hashesPerSecond: measureHashesPerSecond(),
    fsyncMs: await measureFsyncMs(),
    node: process.version,
  };
}

export const describeMachine = ({ cores, model, hashesPerSecond, fsyncMs, node }: Machine): string =>
  `${cores} × ${model}, Node ${node}; one core: ${Math.round(hashesPerSecond / 1_000)},000 SHA-256 of 1 KiB a second; a durable write: ${fsyncMs.toFixed(2)} ms`;

function measureHashesPerSecond(): number {
  let hashes = 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < HASHING_MS) {
    createHash("sha256").update(HASHED).digest();
    hashes += 1;
  }
  return (hashes * 1_000) / (performance.now() - startedAt);
}

async function measureFsyncMs(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-bench-disk-"));
  try {
    const file = await open(path.join(folder, "written"), "w");
    const times: number[] = [];
    for (let write = 0; write < WRITES; write += 1) {
      const startedAt = performance.now();
      await file.write(WRITTEN, 0, WRITTEN.length, 0);
      await file.datasync();
      times.push(performance.now() - startedAt);
    }
    await file.close();
    return median(times);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
