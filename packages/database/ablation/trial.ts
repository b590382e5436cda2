import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from "vitest/node";
import { z } from "zod";
import { databaseUrl, RECORD_OF_CALLS, runAsSuperuser } from "../../../scripts/testing/databases.js";
import setUpPostgres from "../../../scripts/testing/postgres.js";
import { withConnection } from "../../migrate/src/index.js";

const root = path.join(import.meta.dirname, "../../..");

const callsOfFileSchema = z.object({ file: z.string(), functions: z.array(z.string()) });
export type CallsOfFile = z.infer<typeof callsOfFileSchema>;

export type TestFile = { name: string; text: string; specification: TestSpecification };

export type Laboratory = {
  /** URL of the unchanged template. */
  template: string;
  files: readonly TestFile[];
  /**
   * Runs test files on copies of the templates until one test fails.
   * @param change SQL that is run on each copy before the tests.
   * @param only the only test to run, as returned earlier. Default: all.
   * @returns the failed test as `file > test`; undefined if none failed.
   */
  findFailure(change: string, files: readonly TestFile[], only?: string): Promise<string | undefined>;
  /** Runs test files until one test fails. @returns the calls of each file that ran. */
  findCalls(files: readonly TestFile[]): Promise<CallsOfFile[]>;
  close(): Promise<void>;
};

/** A test that takes longer counts as failed. */
const TEST_LIMIT_MS = 30_000;

/** A function with a setting is never inlined into its caller; an inlined call would not be counted. */
const COUNT_EVERY_CALL = `DO $$ BEGIN EXECUTE (
  SELECT string_agg(format('ALTER FUNCTION %s SET work_mem FROM CURRENT', p.oid::regprocedure), '; ')
  FROM pg_proc p JOIN pg_language l ON l.oid = prolang WHERE lanname = 'sql' AND pronamespace = 'public'::regnamespace); END $$`;

/** Name of a failed set-up, which fails every test of its file. */
const SET_UP = "(set-up)";

class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

/** Starts PostgreSQL and Vitest once, so that a trial takes only a second plus the time of its tests. */
export async function openLaboratory(
  include: readonly string[],
  exclude: readonly string[],
): Promise<Laboratory> {
  const stopPostgres = await setUpPostgres();
  const { TILLGATE_TEST_TEMPLATE: empty = "", TILLGATE_TEST_SEED: seed = "" } = process.env;
  const seeded: string = JSON.parse(seed).template;
  const vitest = await createVitest("test", {
    config: false,
    root,
    watch: false,
    include: [...include],
    exclude: [...exclude],
    setupFiles: ["./scripts/testing/cheap-hashes.ts", "./packages/database/ablation/record-calls.ts"],
    isolate: false,
    fileParallelism: false,
    bail: 1,
    sequence: { sequencer: GivenOrder },
    reporters: [{}],
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
  });
  const specifications = await vitest.globTestSpecifications();
  async function runOnCopies(
    change: string,
    files: readonly TestFile[],
    only?: string,
  ): Promise<readonly TestModule[]> {
    for (const template of [empty, seeded]) {
      const copy = `ablated_${template}`;
      await runAsSuperuser(`CREATE DATABASE ${copy} TEMPLATE ${template} OWNER tillgate STRATEGY file_copy`);
      await runAsSuperuser(change, databaseUrl(copy).href);
    }
    // Workers are started for each run, with this environment.
    process.env.TILLGATE_TEST_TEMPLATE = `ablated_${empty}`;
    process.env.TILLGATE_TEST_SEED = JSON.stringify({ ...JSON.parse(seed), template: `ablated_${seeded}` });
    vitest.setGlobalTestNamePattern(asPattern(only));
    // Vitest returns the modules of earlier runs too.
    vitest.state.filesMap.clear();
    try {
      const { testModules } = await vitest.runTestSpecifications(files.map((file) => file.specification));
      return testModules;
    } finally {
      await dropDatabases([empty, seeded]);
    }
  }
  return {
    template: databaseUrl(empty).href,
    files: specifications.map((specification) => ({
      name: path.relative(root, specification.moduleId),
      text: readWithParts(specification.moduleId),
      specification,
    })),
    async findFailure(change, files, only) {
      const modules = await runOnCopies(change, files, only);
      return modules.map(describeFailure).find((failure) => failure !== undefined);
    },
    async findCalls(files) {
      const record = path.join(tmpdir(), "called-functions.jsonl");
      process.env[RECORD_OF_CALLS] = record;
      await runAsSuperuser("ALTER ROLE CURRENT_USER SET track_functions = 'all'");
      try {
        await runOnCopies(COUNT_EVERY_CALL, files);
        const lines = existsSync(record) ? readFileSync(record, "utf8").split("\n") : [];
        return lines.filter(Boolean).map((line) => callsOfFileSchema.parse(JSON.parse(line)));
      } finally {
        await runAsSuperuser("ALTER ROLE CURRENT_USER RESET track_functions");
        delete process.env[RECORD_OF_CALLS];
        rmSync(record, { force: true });
      }
    },
    async close() {
      await vitest.close();
      await stopPostgres();
    },
  };
}

/** Reads a test file, and the other TypeScript files of its folder that are not tests. */
function readWithParts(file: string): string {
  const folder = path.dirname(file);
  const parts = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return [file, ...parts.map((name) => path.join(folder, name))]
    .map((name) => readFileSync(name, "utf8"))
    .join("\n");
}

/** Drops every database except the given templates, including those of tests that were stopped. */
async function dropDatabases(templates: readonly string[]): Promise<void> {
  const keep = ["postgres", ...templates].map((name) => `'${name}'`).join(", ");
  await withConnection({ connectionString: databaseUrl("postgres").href }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname NOT LIKE 'template_' AND datname NOT IN (${keep})`,
    );
    for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
}

/** Converts a failure to a Vitest name pattern, which joins the titles of suites and test with spaces. An empty pattern selects all tests. */
function asPattern(failure = ""): string {
  const [, ...names] = failure.split(" > ");
  const title = names.join(" ").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return names.length === 0 || names.includes(SET_UP) ? "" : `^${title}$`;
}

function describeFailure(module: TestModule): string | undefined {
  if (module.state() !== "failed") return undefined;
  const [test] = module.children.allTests("failed");
  return `${path.relative(root, module.moduleId)} > ${test?.fullName ?? SET_UP}`;
}
