/**
 * Removes the guards of the schema one at a time, and finds a test that notices each removal; see README.md. The exit code is 1 if a removal
 * is not noticed and has no known reason, or if a test notices the removal of {@link CONTROL}, which guards nothing.
 */
import { createHash, randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { withConnection } from "../../migrate/src/index.js";
import { type CalledFunctions, findCalledFunctions } from "./called-functions.js";
import type { Guard } from "./guard.js";
import { listFunctions, listGuards } from "./guards.js";
import { rankFiles } from "./rank-files.js";
import { addToTable, keyOf, REASONS, type Results, readResults } from "./table.js";
import { type Laboratory, openLaboratory, type TestFile } from "./trial.js";

const SUITES = ["packages/database/test/integration/**/*.test.ts", "apps/api/test/integration/**/*.test.ts"];
/** Excluded tests, which compare the schema with a list or its files, and would notice any change to it. */
const COMPARISONS = [
  ...["catalogue", "guarding-triggers", "upgrade", "growing-tables", "statement-names"],
  "{query,set,claim,checkout}-plans",
];
/** An index that guards nothing. If a test notices its absence, the run is invalid. */
const CONTROL: Guard = {
  kind: "unique index",
  name: "orders.orders_due (control)",
  of: "orders",
  calls: null,
  holds: "",
  ablation: "DROP INDEX orders_due",
};
/** Number of guards between two updates of the table. */
const SAVED_EVERY = 20;

const { values: options } = parseArgs({
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    only: { type: "string", multiple: true, default: [""] },
    noticed: { type: "boolean", default: false },
    untried: { type: "boolean", default: false },
    unnoticed: { type: "boolean", default: false },
    minutes: { type: "string", default: "600" },
    files: { type: "string", default: "20" },
  },
});

/** Chooses a random sample of the guards whose absence was noticed before, or the guards that the options select. */
function chooseGuards(guards: readonly Guard[], results: Results): Guard[] {
  const noticed = guards.filter((guard) => results.get(keyOf(guard)) !== undefined);
  if (options.sample !== undefined) {
    console.log(`A sample of ${options.sample} guards, --seed ${options.seed}`);
    const sortKey = (guard: Guard) =>
      createHash("sha256")
        .update(`${options.seed} ${keyOf(guard)}`)
        .digest("hex");
    return noticed.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).slice(0, Number(options.sample));
  }
  return guards.filter((guard) => {
    const key = keyOf(guard);
    if (!options.only.some((start) => key.startsWith(start))) return false;
    if (options.noticed) return noticed.includes(guard);
    if (options.untried) return !results.has(key);
    if (options.unnoticed) return results.has(key) && !noticed.includes(guard);
    return !options.only.includes("") || !(key in REASONS);
  });
}

/**
 * Looks for a test that notices a guard's absence: first the test that noticed it before, then the likeliest files. A failure counts only if
 * it repeats and the test passes with the guard in place.
 * @param last the earlier result.
 * @returns the test that notices the absence; its file if the test, when run alone, fails even with the guard in place; undefined if none notices.
 */
async function tryGuard(
  laboratory: Laboratory,
  guard: Guard,
  last: string | undefined,
  ofSame: readonly string[],
  findCalled: () => Promise<CalledFunctions | undefined>,
): Promise<string | undefined> {
  const { files, findFailure } = laboratory;
  const isOf = (test: string) => (file: TestFile) => test.split(" > ")[0] === file.name;
  const lastFile = last === undefined ? undefined : files.find(isOf(last));
  if (lastFile && (await findFailure(guard.ablation, [lastFile], last)) !== undefined) return last;
  const called = guard.calls === null ? undefined : await findCalled();
  // PostgreSQL does not count calls that raise an error, so a file may notice the removal without a counted call.
  const able = files.filter(
    ({ name }) => ofSame.includes(name) || (called?.get(name)?.includes(guard.calls ?? "") ?? true),
  );
  for (let likeliest = rankFiles(guard, able, ofSame).slice(0, Number(options.files)); ; ) {
    const test = await findFailure(guard.ablation, likeliest);
    if (test === undefined) return undefined;
    const at = likeliest.findIndex(isOf(test));
    const file = likeliest.slice(at, at + 1);
    for (const candidate of [test, test.split(" > ", 1).join()]) {
      const fails = (await findFailure(guard.ablation, file, candidate)) !== undefined;
      if (fails && (await passesUnchanged(laboratory, file, candidate))) return candidate;
    }
    likeliest = likeliest.slice(at + 1);
  }
}

const passed = new Map<string, boolean>();
/** Returns whether a test passes with every guard in place. Some tests fail when run alone. */
async function passesUnchanged(
  laboratory: Laboratory,
  file: readonly TestFile[],
  test: string,
): Promise<boolean> {
  const known = passed.get(test);
  if (known !== undefined) return known;
  const passes = (await laboratory.findFailure("SELECT", file, test)) === undefined;
  if (!passes) console.log(`Fails with every guard in place: ${test}`);
  passed.set(test, passes);
  return passes;
}

async function run(laboratory: Laboratory): Promise<boolean> {
  const guards = await withConnection({ connectionString: laboratory.template }, listGuards);
  const functions = await withConnection({ connectionString: laboratory.template }, listFunctions);
  const schema = functions.map(({ definition }) => definition).join("\n");
  let called: Promise<CalledFunctions> | undefined;
  /** Returns the functions that each test file calls; undefined with `--noticed` or `--sample`, because the tests of those guards are known. */
  const findCalled = async () => {
    if (options.noticed || options.sample !== undefined) return undefined;
    called ??= findCalledFunctions(laboratory, schema);
    return called;
  };
  const last = readResults();
  const found: Results = new Map();
  const chosen = chooseGuards(guards, last);
  const endsAt = Date.now() + Number(options.minutes) * 60_000;
  for (const [at, guard] of chosen.entries()) {
    const startedAt = Date.now();
    if (startedAt > endsAt) break;
    const ofSame = guards
      .filter(({ of }) => of === guard.of)
      .map((other) => found.get(keyOf(other)) ?? last.get(keyOf(other)));
    const files = ofSame.flatMap((test) => test?.split(" > ")[0] ?? []);
    const test = await tryGuard(laboratory, guard, last.get(keyOf(guard)), files, findCalled);
    found.set(keyOf(guard), test);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`${at + 1}/${chosen.length} ${keyOf(guard)}: ${test ?? "NOT NOTICED"} (${seconds} s)`);
    if (options.sample === undefined && at % SAVED_EVERY === 0) addToTable(guards, found);
  }
  if (options.sample === undefined) addToTable(guards, found);

  const [likeliest] = rankFiles(CONTROL, laboratory.files, []);
  const control = likeliest && (await laboratory.findFailure(CONTROL.ablation, [likeliest]));
  console.log(`${keyOf(CONTROL)}: ${control ?? "not noticed, as expected"}`);
  const unnoticed = [...found].filter(([key, test]) => test === undefined && !(key in REASONS));
  for (const [key] of unnoticed) console.log(`Not noticed: ${key}`);
  console.log(
    `${found.size - unnoticed.length} of ${found.size} removals were noticed or have a known reason in reasons.json`,
  );
  return unnoticed.length === 0 && control === undefined;
}

const laboratory = await openLaboratory(
  SUITES,
  COMPARISONS.map((name) => `**/${name}.test.ts`),
);
let isPassed = false;
try {
  isPassed = await run(laboratory);
} finally {
  await laboratory.close();
}
// Vitest sets the exit code if tests fail, which is expected here.
process.exitCode = isPassed ? 0 : 1;
