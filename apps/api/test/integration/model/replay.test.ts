import { randomInt } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { countOf } from "../../support/counts.js";
import { generateTraces, MODEL_FILE, type Trace } from "../../support/quint.js";
import { expectValidEvents } from "../../support/rows.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";
import { Disagreement, replayTrace } from "./replay-trace.js";

const isFull = process.env.TILLGATE_TEST_COUNTS === "full";
/** Number of generated traces. `npm test` replays only a few of them, which together have every outcome. */
const TRACES = countOf({ full: 10_000, reduced: 100 });
/** Number of traces generated at a time. */
const BATCH = countOf({ full: 250, reduced: 100 });
/** A planted bug must be found within this many traces. */
const CONTROL_TRACES = 1_000;
/** Number of traces replayed concurrently, each for a separate merchant. */
const CONCURRENCY = 6;
const TIMEOUT_MS = countOf({ full: 4 * 3_600_000, reduced: 120_000 });
/**
 * Maximum number of random numbers that a trace uses. Quint increments the seed for each, so nearby seeds
 * generate the same traces.
 */
const MAX_DRAWS = 10_000;
/** Fixed in `npm test`, random at full counts. */
const SEED = countOf({ full: randomInt(2 ** 31), reduced: 1 });

/** Every outcome of every call in the model. */
const OUTCOMES = {
  CreateOrder: ["done", "idempotency_key_reused", "repeated"],
  ReadOrder: ["done"],
  PayOrder: ["done", "insufficient_balance", "order_cancelled", "order_expired", "repeated"],
  CancelOrder: ["done", "only_pending_can_be_cancelled"],
  OrderTimePasses: ["done"],
  ExpireOrder: ["done", "nothing_that_ends"],
  CreateRefund: [
    "done",
    "idempotency_key_reused",
    "insufficient_balance",
    "refund_exceeds_payment",
    "repeated",
    "transaction_not_found",
  ],
  DecideRefund: ["already_decided", "done"],
  CreatePayout: ["done", "insufficient_balance", "repeated"],
  DecidePayout: ["already_decided", "done"],
};

let sandbox: Sandbox;
let server: ApiProcess;
/** Traces that are also replayed against the API with a planted bug. */
let firstTraces: readonly Trace[];
beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.startApi();
  const generated = await generateTraces({ seed: SEED, count: BATCH });
  firstTraces = isFull ? generated : chooseCovering(generated);
}, TIMEOUT_MS);
afterAll(async () => {
  await expectValidEvents(sandbox);
  await sandbox.close();
});

/**
 * Replays traces until one disagrees.
 * @returns the first error, and the number of different traces replayed
 */
async function replayTraces(
  on: { sandbox: Sandbox; server: ApiProcess },
  count: number,
  generate: (seed: number) => Promise<readonly Trace[]>,
): Promise<{ error: unknown; replayed: number }> {
  let error: unknown;
  const replayed = new Set<string>();
  for (let batch = 0; batch < count / BATCH && error === undefined; batch += 1) {
    const traces = (await generate(SEED + batch * BATCH * MAX_DRAWS)).values();
    const replayNext = async () => {
      for (const trace of traces) {
        if (error !== undefined) return;
        await replayTrace(on.sandbox, on.server, trace).catch((found: unknown) => {
          error ??= found;
        });
        replayed.add(JSON.stringify(trace.map(({ call }) => call)));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, replayNext));
  }
  return { error, replayed: replayed.size };
}

const generateCorrect = async (seed: number): Promise<readonly Trace[]> =>
  seed === SEED ? firstTraces : generateTraces({ seed, count: BATCH });

const outcomesOf = (trace: Trace): string[] =>
  trace.slice(1).map(({ call, outcome }) => `${call.tag} ${outcome}`);

/** Chooses a few traces that together have every outcome of all the traces. */
function chooseCovering(traces: readonly Trace[]): readonly Trace[] {
  const missing = new Set(traces.flatMap(outcomesOf));
  const chosen: Trace[] = [];
  const countMissing = (trace: Trace) =>
    new Set(outcomesOf(trace).filter((outcome) => missing.has(outcome))).size;
  while (missing.size > 0) {
    const [next = []] = traces.toSorted((a, b) => countMissing(b) - countMissing(a));
    chosen.push(next);
    for (const outcome of outcomesOf(next)) missing.delete(outcome);
  }
  return chosen;
}

/** Lists the outcomes in the traces by call. */
function listOutcomes(traces: readonly Trace[]): Record<string, string[]> {
  const steps = traces.flatMap((trace) => trace.slice(1));
  const outcomesOf = (tag: string) =>
    new Set(steps.filter(({ call }) => call.tag === tag).map(({ outcome }) => outcome));
  return Object.fromEntries(Object.keys(OUTCOMES).map((tag) => [tag, [...outcomesOf(tag)].sort()]));
}

describe(`the API, compared with its model from seed ${SEED}`, { timeout: TIMEOUT_MS }, () => {
  it("is tested with every outcome of every call", () => {
    expect(listOutcomes(firstTraces)).toEqual(OUTCOMES);
  });

  it(`has the same outcome, state and events after every call of ${isFull ? TRACES : "a few"} traces`, async () => {
    const { error, replayed } = await replayTraces({ sandbox, server }, TRACES, generateCorrect);
    if (error !== undefined) throw error;
    expect(replayed).toBe(isFull ? TRACES : firstTraces.length);
  });

  // At reduced counts, the bug planted in the API shows that a disagreement is found.
  it.runIf(isFull)(`disagrees within ${CONTROL_TRACES} traces if a bug is planted in the model`, async () => {
    const model = await readFile(MODEL_FILE, "utf8");
    const correct = "order.amount - order.refunded - order.refundPending";
    expect(model).toContain(correct);
    const folder = await mkdtemp(path.join(tmpdir(), "tillgate-model-"));
    try {
      const file = path.join(folder, "payments.qnt");
      await writeFile(file, model.replace(correct, "order.amount - order.refunded"));
      const generate = (seed: number) => generateTraces({ seed, count: BATCH, file });
      const { error } = await replayTraces({ sandbox, server }, CONTROL_TRACES, generate);
      expect(error).toBeInstanceOf(Disagreement);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it(`disagrees within ${CONTROL_TRACES} traces if a bug is planted in the API`, async () => {
    const broken = await openSandbox();
    try {
      // The planted bug: a request is not compared with the first request of its idempotency key.
      await broken.executeAsSuperuser(`
        DO $$ BEGIN EXECUTE replace(pg_get_functiondef('claim_idempotency_keys'::regproc), ' OR NOT same_request', ''); END $$`);
      const on = { sandbox: broken, server: await broken.startApi() };
      const { error } = await replayTraces(on, CONTROL_TRACES, generateCorrect);
      expect(error).toBeInstanceOf(Disagreement);
    } finally {
      await broken.close();
    }
  });
});
