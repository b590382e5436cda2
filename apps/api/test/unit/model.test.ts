import { randomInt } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countOf } from "../support/counts.js";
import { listInvariants, MODEL_FILE, type QuintResult, runQuint } from "../support/quint.js";

const TRACES = countOf({ full: 10_000, reduced: 20 });
/** Number of traces within which a planted bug must be found. */
const CONTROL_TRACES = 1_000;
const TIMEOUT_MS = countOf({ full: 3_600_000, reduced: 60_000 });
const SEED = randomInt(2 ** 31);

/** Each planted bug: its name, the text in the model, and the replacement. */
const BUGS = [
  [
    "pending refunds are not counted",
    "order.amount - order.refunded - order.refundPending",
    "order.amount - order.refunded",
  ],
  ["a paid order can be cancelled", `now.orders[o].state != "PENDING"`, `now.orders[o].state == "EXPIRED"`],
  ["a used idempotency key is ignored", "if (slot._2 != NO_KEY and", "if (slot._2 == NO_KEY and"],
] as const;
/**
 * `npm test` checks one bug, chosen by the seed, because Quint takes seconds of CPU time to read each model.
 */
const plantedBugs = BUGS.filter((_bug, at) => countOf({ full: at, reduced: SEED % BUGS.length }) === at);

const model = await readFile(MODEL_FILE, "utf8");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-model-"));
});
afterAll(() => rm(folder, { recursive: true }));

const checkInvariants = (file: string, traces: number): Promise<QuintResult> =>
  runQuint("run", file, [
    `--seed=${SEED}`,
    `--max-samples=${traces}`,
    "--verbosity=1",
    "--invariants",
    ...listInvariants(model),
  ]);

describe(`the model of orders, refunds and payouts (seed ${SEED})`, () => {
  it("passes its example tests", { timeout: TIMEOUT_MS }, async () => {
    expect(await runQuint("test", MODEL_FILE, [])).toMatchObject({ passed: true });
  });

  it(`preserves its invariants in ${TRACES} random traces`, { timeout: TIMEOUT_MS }, async () => {
    expect(listInvariants(model)).toHaveLength(9);
    expect(await checkInvariants(MODEL_FILE, TRACES)).toMatchObject({ passed: true });
  });

  it.each(plantedBugs)(
    "violates an invariant if %s",
    { timeout: TIMEOUT_MS },
    async (bug, correct, planted) => {
      expect(model).toContain(correct);
      const file = path.join(folder, `${bug.replaceAll(" ", "-")}.qnt`);
      await writeFile(file, model.replace(correct, planted));
      const { passed, output } = await checkInvariants(file, CONTROL_TRACES);
      expect(output).toContain("[violation]");
      expect(passed).toBe(false);
    },
  );
});
